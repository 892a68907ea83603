import type { HookToolConfig, LLMRequest, LLMResponse, Rewrite } from '@tenterhook/protocol';
import { mergeLlmRequest, mergeLlmResponse, mergeToolConfig, toolConfigSchema, writtenFields } from '@tenterhook/protocol/internal';
import { isPlainObject, isSameJson } from '@tenterhook/runtime/json';
import { ownValue, type Standing } from './changed-values.js';

/** Returns the value after one hook has written to it. */
export function composeRewrite(rewrite: Rewrite, patch: unknown, { before, shown }: Standing): unknown {
  switch (rewrite.rule) {
    case 'replace':
      return replaced(patch, before, shown);
    case 'merge':
      return isPlainObject(before) && isPlainObject(patch) ? { ...before, ...written(patch, before, shown) } : patch;
    case 'llm-request':
      return mergeLlmRequest((before ?? {}) as LLMRequest, patch as LLMRequest, (shown ?? {}) as LLMRequest);
    case 'llm-response':
      return mergeLlmResponse((before ?? {}) as LLMResponse, patch as LLMResponse, (shown ?? {}) as LLMResponse);
    // The selections of several hooks are merged by level (`selectionOfAll`). They are not merged with the list in the request. A union
    // with that list would only make it longer, so that hooks could not restrict it.
    case 'tool-config':
      return mergeToolConfig(undefined, patch as HookToolConfig);
    case 'tool-output':
      return isPlainObject(patch) ? replaced(patch, before, shown) : withOutputText(patch, before, shown);
  }
}

/**
 * Replaces a value. A field that the hook returned unchanged keeps its current value. If another hook has removed the field, it stays
 * removed.
 */
function replaced(patch: unknown, before: unknown, shown: unknown): unknown {
  if (before === shown) return patch;
  if (isSameJson(patch, shown)) return before;
  if (!isPlainObject(patch) || !isPlainObject(before)) return patch;
  const own = written(patch, before, shown);
  const fields = Object.keys(patch).filter((field) => Object.hasOwn(own, field) || Object.hasOwn(before, field));
  return Object.fromEntries(fields.map((field) => [field, Object.hasOwn(own, field) ? own[field] : before[field]]));
}

/**
 * Returns the fields that the hook changed. If no other hook has written, returns all fields, because then the unchanged ones do no harm.
 */
function written(patch: Record<string, unknown>, before: unknown, shown: unknown): Record<string, unknown> {
  return before === shown ? patch : writtenFields(patch, objectOf(shown));
}

/**
 * Sets the text of a result for the model and for the user, so that the user does not see what was removed either. An error remains an
 * error, but its message is replaced, because it often repeats what the tool printed.
 */
function withOutputText(text: unknown, before: unknown, shown: unknown): unknown {
  const [current, old] = [objectOf(before) ?? {}, objectOf(shown) ?? {}];
  if (before !== shown && isSameJson(text, old['llmContent'])) return before;
  const error = isPresent(current['error']) ? { error: { message: typeof text === 'string' ? text : replacedError } } : {};
  return { ...error, llmContent: text, returnDisplay: text };
}

/** The message of a failed tool's result after a hook replaced that result by something other than a text. */
const replacedError = 'The tool failed. A hook replaced its result.';

function objectOf(value: unknown): Record<string, unknown> | undefined {
  return isPlainObject(value) ? value : undefined;
}

/**
 * Whether a rewrite can be applied. If not, only this rewrite is left out (decision 34). Model data are not checked with the whole
 * schema. A rewrite that removes a secret must not be lost only because a `finishReason` is null.
 */
export function isComposable({ rule, path }: Rewrite, patch: unknown): boolean {
  if (rule === 'tool-output' || (rule === 'replace' && path === 'prompt')) return isPresent(patch);
  if (!isPlainObject(patch)) return false;
  switch (rule) {
    case 'llm-request':
      return !isPresent(patch['config']) || isPlainObject(patch['config']);
    case 'llm-response':
      return (patch['text'] === undefined || typeof patch['text'] === 'string') && isListOf(patch['candidates'], isCandidate);
    // An invalid mode has no rank, so it would replace even NONE.
    case 'tool-config':
      return toolConfigSchema.safeParse(patch).success;
    default:
      return true;
  }
}

/** Whether the field has a rewrite. A null value means that it has none. */
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

export function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(ownValue, value);
}

export function withValueAt(value: unknown, path: readonly string[], replacement: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return replacement;
  const base = isPlainObject(value) ? value : {};
  return { ...base, [key]: withValueAt(base[key], rest, replacement) };
}
