import {
  type HookToolConfig,
  type LLMRequest,
  type LLMResponse,
  mergeLlmRequest,
  mergeLlmResponse,
  mergeToolConfig,
  type Rewrite,
  toolConfigSchema,
  writtenFields,
} from '@tenterhook/protocol';
import { isPlainObject, isSameJson } from '@tenterhook/runtime/json';

/** The value that a hook writes to. */
export interface Standing {
  /** The value as the hooks before it in plan order left it. */
  readonly before: unknown;
  /**
   * The value as the hook received it: differs from `before` where a hook of the same stage has written. A value that is returned as it was
   * shown is not a write: a hook that prints its whole input back must not undo a redaction of another hook.
   */
  readonly shown: unknown;
  /** Whether `before` was written by a hook. If not, it is the agent's value. */
  readonly writtenBefore: boolean;
}

/** The value after one hook has written to it. */
export function composeRewrite(rewrite: Rewrite, patch: unknown, { before, shown, writtenBefore }: Standing): unknown {
  switch (rewrite.rule) {
    case 'replace':
      return replaced(patch, before, shown);
    case 'merge':
      return isPlainObject(before) && isPlainObject(patch) ? { ...before, ...written(patch, before, shown) } : patch;
    case 'llm-request':
      return mergeLlmRequest((before ?? {}) as LLMRequest, patch as LLMRequest, (shown ?? {}) as LLMRequest);
    case 'llm-response':
      return mergeLlmResponse((before ?? {}) as LLMResponse, patch as LLMResponse, (shown ?? {}) as LLMResponse);
    // Names are united across hooks, not with those of the request: otherwise a list that restricts could only widen.
    case 'tool-config':
      if (before !== shown && isSameJson(patch, shown)) return before;
      return mergeToolConfig(writtenBefore ? (before as HookToolConfig | undefined) : undefined, patch as HookToolConfig);
    case 'tool-output':
      return isPlainObject(patch) ? replaced(patch, before, shown) : withOutputText(patch, before, shown);
  }
}

/** Replaces a value. Fields that are returned as they were shown keep their current state: removed, if another hook removed them. */
function replaced(patch: unknown, before: unknown, shown: unknown): unknown {
  if (before === shown) return patch;
  if (isSameJson(patch, shown)) return before;
  if (!isPlainObject(patch) || !isPlainObject(before)) return patch;
  const own = written(patch, before, shown);
  const fields = Object.keys(patch).filter((field) => Object.hasOwn(own, field) || Object.hasOwn(before, field));
  return Object.fromEntries(fields.map((field) => [field, Object.hasOwn(own, field) ? own[field] : before[field]]));
}

/** Without another write, a field that is returned as it was shown changes nothing, so there is no need to find it. */
function written(patch: Record<string, unknown>, before: unknown, shown: unknown): Record<string, unknown> {
  return before === shown ? patch : writtenFields(patch, objectOf(shown));
}

/** A redacted text must not leave the original in the text that the user sees. */
function withOutputText(text: unknown, before: unknown, shown: unknown): unknown {
  const [current, old] = [objectOf(before) ?? {}, objectOf(shown) ?? {}];
  if (before !== shown && isSameJson(text, old['llmContent'])) return before;
  return { ...(current['error'] === undefined ? {} : { error: current['error'] }), llmContent: text, returnDisplay: text };
}

function objectOf(value: unknown): Record<string, unknown> | undefined {
  return isPlainObject(value) ? value : undefined;
}

/**
 * Whether a value can be composed onto the value that it rewrites. Any other value from a dialect's adapter must not lose the answers of the
 * other hooks (decision 34). Of model data, only the parts that composing reads are checked, not the whole schema: a redaction
 * must not be lost because a `finishReason` is null.
 */
export function isComposable({ rule, path }: Rewrite, patch: unknown): boolean {
  if (rule === 'tool-output' || (rule === 'replace' && path === 'prompt')) return isPresent(patch);
  if (!isPlainObject(patch)) return false;
  switch (rule) {
    case 'llm-request':
      return !isPresent(patch['config']) || isPlainObject(patch['config']);
    case 'llm-response':
      return (patch['text'] === undefined || typeof patch['text'] === 'string') && isListOf(patch['candidates'], isCandidate);
    // An invalid mode has no rank: it would replace NONE.
    case 'tool-config':
      return toolConfigSchema.safeParse(patch).success;
    default:
      return true;
  }
}

/** Whether the field holds a rewrite; null counts as absent. */
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
