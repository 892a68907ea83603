import {
  type HookToolConfig,
  type LLMRequest,
  type LLMResponse,
  mergeLlmRequest,
  mergeLlmResponse,
  mergeToolConfig,
  type Rewrite,
  writtenFields,
} from '@tenterhook/protocol';
import { isPlainObject, isSameJson } from '@tenterhook/runtime/json';

/** What a hook writes to. */
export interface Standing {
  /** The value as the hooks before it in plan order left it. */
  readonly before: unknown;
  /**
   * The value as the hook was shown it: not `before`, where a hook that ran beside it has written. What is returned as it was shown is no
   * write: a hook that prints its whole input back must not undo what another one redacted.
   */
  readonly shown: unknown;
  /** Whether `before` is the word of a hook, and not the agent's. */
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
    // Names are united across hooks, not with what the request came with: a list that restricts could else only ever widen.
    case 'tool-config':
      if (before !== shown && isSameJson(patch, shown)) return before;
      return mergeToolConfig(writtenBefore ? (before as HookToolConfig | undefined) : undefined, patch as HookToolConfig);
    case 'tool-output':
      return isPlainObject(patch) ? replaced(patch, before, shown) : withOutputText(patch, before, shown);
  }
}

/** A value in place of another. Fields that are as they were shown stand as they do now: gone, where another hook took them away. */
function replaced(patch: unknown, before: unknown, shown: unknown): unknown {
  if (before === shown) return patch;
  if (isSameJson(patch, shown)) return before;
  if (!isPlainObject(patch) || !isPlainObject(before)) return patch;
  const own = written(patch, before, shown);
  const fields = Object.keys(patch).filter((field) => Object.hasOwn(own, field) || Object.hasOwn(before, field));
  return Object.fromEntries(fields.map((field) => [field, Object.hasOwn(own, field) ? own[field] : before[field]]));
}

/** Where nobody else has written, what is handed back as it was shown changes nothing, and needs not be looked for. */
function written(patch: Record<string, unknown>, before: unknown, shown: unknown): Record<string, unknown> {
  return before === shown ? patch : writtenFields(patch, objectOf(shown));
}

/** A redacted text must not leave the original behind in what the user is shown. */
function withOutputText(text: unknown, before: unknown, shown: unknown): unknown {
  const [current, old] = [objectOf(before) ?? {}, objectOf(shown) ?? {}];
  if (before !== shown && isSameJson(text, old['llmContent'])) return before;
  return { ...(current['error'] === undefined ? {} : { error: current['error'] }), llmContent: text, returnDisplay: text };
}

function objectOf(value: unknown): Record<string, unknown> | undefined {
  return isPlainObject(value) ? value : undefined;
}
