import type { ToolResult } from '@tenterhook/agent';
import { isPlainObject, isSameJson } from '@tenterhook/runtime/json';
import type { Message } from '../wire/message.js';

/**
 * Returns the result of a server as hooks see the result of any tool. A single text is shown as a text, because most hooks read one, and
 * everything else as the parts of the content. Structured content is one more text, unless a text part says the same, so that a hook that
 * looks for a secret finds it there. So are fields that this protocol does not have, because some client may read them. Throws a RangeError
 * if the result is nested too deeply.
 */
export function showResult(result: Message): ToolResult {
  const { content, structuredContent, isError, _meta, resultType: _resultType, ...others } = result;
  const parts = Array.isArray(content) ? [...content] : content === undefined ? [] : [content];
  if (Object.keys(others).length > 0) parts.push({ type: 'text', text: JSON.stringify(others) });
  if (structuredContent !== undefined && !parts.some((part) => saysTheSame(part, structuredContent))) {
    parts.push({ type: 'text', text: JSON.stringify(structuredContent) });
  }
  const [first] = parts;
  const llmContent = parts.length === 0 ? '' : parts.length === 1 && isText(first) ? first.text : parts;
  return isError === true ? { llmContent, error: { message: textOf(parts) || 'The tool failed.' } } : { llmContent };
}

/**
 * Whether a value has a number that is infinite in JavaScript. Hooks cannot be shown such a number. Throws a RangeError if the value is nested
 * too deeply.
 */
export function hasInfiniteNumber(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasInfiniteNumber);
}

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

/** Whether a part is a text and nothing else. A part with annotations is shown to hooks as it is. */
export function isText(part: unknown): part is TextPart {
  return isPlainObject(part) && part['type'] === 'text' && typeof part['text'] === 'string' && Object.keys(part).length === 2;
}

function textOf(parts: readonly unknown[]): string {
  return parts.flatMap((part) => (isPlainObject(part) && typeof part['text'] === 'string' ? [part['text']] : [])).join('\n');
}

function saysTheSame(part: unknown, structured: unknown): boolean {
  if (!isPlainObject(part) || typeof part['text'] !== 'string') return false;
  try {
    // Different numbers are infinite in JavaScript.
    return isSameJson(JSON.parse(part['text']), structured) && !hasInfiniteNumber(structured);
  } catch {
    return false;
  }
}
