import type { ToolResult } from '@tenterhook/agent';
import { showValue } from '@tenterhook/agent/internal';

/**
 * Returns the output of a tool as hooks receive it. Other outputs than texts are shown as JSON text, so that a hook that looks for a secret
 * in the text finds it. An output that cannot be written as JSON is passed as it is: then it is withheld from the model.
 */
export function toToolResult(output: unknown): ToolResult {
  if (typeof output === 'string' || output === undefined) return { llmContent: output };
  const { value, problems } = showValue(output, 'llmContent');
  return { llmContent: problems.length > 0 ? output : JSON.stringify(value) };
}

/** Returns the output that hooks wrote, in the form of the tool's own output: a text that is JSON becomes a value again. */
export function fromReplacement(replacement: unknown, output: unknown): unknown {
  if (typeof replacement !== 'string' || typeof output === 'string') return replacement;
  try {
    return JSON.parse(replacement);
  } catch {
    return replacement;
  }
}

export function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof (value as AsyncIterable<unknown> | null | undefined)?.[Symbol.asyncIterator] === 'function';
}
