import { isPlainObject } from '@tenterhook/runtime/json';
import { textOfContent } from '../tool-response.js';
import { textOfResult } from './hear.js';

type Fields = Readonly<Record<string, unknown>>;

/** Returns the text of a new result that hooks wrote: a text, or a canonical `tool_response`. */
export function textOfNewResult(result: unknown): string {
  if (typeof result === 'string') return result;
  const content = isPlainObject(result) ? result['llmContent'] : undefined;
  return textOfContent(content) ?? JSON.stringify(content ?? result) ?? '';
}

/** Fields that say what kind of result it is. An agent needs them to read the result, and they repeat nothing of it. */
const kindFields = ['type', 'mode'];

/**
 * Returns the agent's result with another text. All other texts in it are emptied, because they may repeat what a hook removed. A result
 * without a known place for its text becomes the text.
 */
export function withNewText(native: unknown, text: string): unknown {
  if (Array.isArray(native)) return [{ type: 'text', text }];
  if (!isPlainObject(native)) return text;
  const { path } = textOfResult(native);
  return path === undefined ? text : placed(emptied(native) as Fields, path, text);
}

function placed(fields: Fields, [key, ...rest]: readonly string[], text: string): Fields {
  if (key === undefined) return fields;
  const inner = fields[key];
  const value =
    rest.length > 0 && isPlainObject(inner) ? placed(inner, rest, text) : Array.isArray(inner) ? [{ type: 'text', text }] : text;
  return { ...fields, [key]: value };
}

function emptied(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return kindFields.includes(key) ? value : '';
  if (Array.isArray(value)) return value.map((item) => emptied(item));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, emptied(item, name)]));
}
