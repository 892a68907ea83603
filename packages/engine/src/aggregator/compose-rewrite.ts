import {
  type HookToolConfig,
  isPlainObject,
  type LLMRequest,
  type LLMResponse,
  mergeLlmRequest,
  mergeLlmResponse,
  mergeToolConfig,
  type Rewrite,
} from '@tenterhook/protocol';
import { changedValues, isTooWide } from './changed-values.js';

/** A dialect's adapter that hands over something else must not take the answers of the other hooks with it (decision 34). */
export function isComposable(rewrite: Rewrite, patch: unknown): boolean {
  const isAnyValue = rewrite.rule === 'tool-output' || (rewrite.rule === 'replace' && rewrite.path === 'prompt');
  return isAnyValue ? patch !== undefined && patch !== null : isPlainObject(patch);
}

/** The value after one hook has written to it. `writtenBefore`: whether what stands there is the word of a hook, and not the agent's. */
export function composeRewrite(rewrite: Rewrite, before: unknown, patch: unknown, writtenBefore: boolean): unknown {
  switch (rewrite.rule) {
    case 'replace':
      return patch;
    case 'merge':
      return isPlainObject(before) && isPlainObject(patch) ? { ...before, ...patch } : patch;
    case 'llm-request':
      return mergeLlmRequest((before ?? {}) as LLMRequest, patch as LLMRequest);
    case 'llm-response':
      return mergeLlmResponse((before ?? {}) as LLMResponse, patch as LLMResponse);
    // Names are united across hooks, not with what the request came with: a list that restricts could else only ever widen.
    case 'tool-config':
      return mergeToolConfig(writtenBefore ? (before as HookToolConfig | undefined) : undefined, patch as HookToolConfig);
    // A redacted text must not leave the original behind in what the user is shown.
    case 'tool-output':
      return isPlainObject(patch)
        ? patch
        : {
            ...(isPlainObject(before) && before['error'] !== undefined ? { error: before['error'] } : {}),
            llmContent: patch,
            returnDisplay: patch,
          };
  }
}

/**
 * What a hook wrote, a place at a time, for finding conflicts: also where it wrote what was there already, since that, too, is its word
 * on the value, and what changed along with it, as the candidates do with the text of a response. None where words are united.
 */
export function writtenValues(rewrite: Rewrite, patch: unknown, before: unknown, after: unknown): ReadonlyMap<string, unknown> {
  if (rewrite.rule === 'tool-config') return new Map();
  if (rewrite.rule === 'replace' || !isPlainObject(patch) || isTooWide(patch)) return new Map([[rewrite.path, after]]);
  const alongWith = rewrite.rule === 'llm-response' ? changedValues(rewrite.path, before, after) : [];
  const said = Object.entries(patch).flatMap(([key, value]): [string, unknown][] => {
    const path = `${rewrite.path}.${key}`;
    return key === 'config' && isPlainObject(value)
      ? Object.entries(value).map(([name, each]) => [`${path}.${name}`, each])
      : [[path, value]];
  });
  return new Map([...alongWith.map((change): [string, unknown] => [change.path, change.after]), ...said]);
}
