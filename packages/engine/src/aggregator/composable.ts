import { type Rewrite, toolConfigSchema } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';

/**
 * Whether a value can be composed onto what it rewrites. A dialect's adapter that hands over something else must not take the answers of the
 * other hooks with it (decision 34). Of model data only what composing reads is looked at, and not all that its schema says: the rewrite of
 * a hook that redacts must not be lost for a `finishReason` that is null.
 */
export function isComposable({ rule, path }: Rewrite, patch: unknown): boolean {
  if (rule === 'tool-output' || (rule === 'replace' && path === 'prompt')) return isPresent(patch);
  if (!isPlainObject(patch)) return false;
  switch (rule) {
    case 'llm-request':
      return !isPresent(patch['config']) || isPlainObject(patch['config']);
    case 'llm-response':
      return (patch['text'] === undefined || typeof patch['text'] === 'string') && isListOf(patch['candidates'], isCandidate);
    // A mode that is none would rank below no other: it would take the place of NONE.
    case 'tool-config':
      return toolConfigSchema.safeParse(patch).success;
    default:
      return true;
  }
}

/** Whether there is something that was meant as a rewrite; null is a way of saying nothing. */
export function isPresent(patch: unknown): boolean {
  return patch !== undefined && patch !== null;
}

function isCandidate(candidate: unknown): boolean {
  const content = isPlainObject(candidate) ? candidate['content'] : undefined;
  return isPlainObject(content) && isListOf(content['parts'], (part) => typeof part === 'string' || isPlainObject(part));
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return !isPresent(value) || (Array.isArray(value) && value.every(isItem));
}
