import type { LLMResponse } from './llm.js';
import { isSameCandidates } from './same-candidates.js';

/**
 * Whether a hook that returned this response has replaced the candidates, tool calls included, or has only handed them back. Hooks are
 * not shown tool calls, so the candidates of a guard that takes one away may be equal to those it was shown. What tells the two apart:
 * - candidates that differ from those it was shown replace them;
 * - candidates and nothing else replace them, whatever they are: that is how a guard says it (design §4.6);
 * - candidates as they were shown, beside a `text` or another field, are a response that was passed through: they replace nothing.
 *
 * `shown` are the candidates that the hook may have seen: the model's own, and what hooks before it left.
 */
export function replacesCandidates(returned: LLMResponse, shown: readonly LLMResponse['candidates'][]): boolean {
  const { candidates, ...others } = returned;
  if (candidates === undefined) return false;
  const standAlone = Object.values(others).every((value) => value === undefined);
  return standAlone || !shown.some((each) => isSameCandidates(candidates, each));
}
