import { isPlainObject } from '@tenterhook/runtime/json';
import type { LlmTranslator, ModelToolCall } from './translators/llm-translator.js';

/** Deeper than arguments are, and far from the depth at which writing JSON ends the stack. */
const maxDepth = 200;

/**
 * The calls as hooks read them; undefined where the translator does not tell. Arguments that cannot be written as JSON are shown as none:
 * the whole event could not be written, and a model that nests them deeply enough would keep its answer from every hook.
 */
export function shownToolCalls<Response>(
  translator: Pick<LlmTranslator<never, Response>, 'toolCalls'>,
  response: Response,
): readonly ModelToolCall[] | undefined {
  try {
    return translator.toolCalls?.(response).map(({ name, args }) => ({ name, args: isWritable(args, maxDepth) ? args : {} }));
  } catch {
    // A translator is a host's own: what it cannot read must not cost the answer that the model has given.
    return undefined;
  }
}

function isWritable(value: unknown, depth: number): boolean {
  if (typeof value === 'bigint') return false;
  if (!Array.isArray(value) && !isPlainObject(value)) return true;
  return depth > 0 && Object.values(value).every((item) => isWritable(item, depth - 1));
}
