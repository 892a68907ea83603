import type { HookToolConfig, LLMRequest, LLMResponse } from './llm.js';
import { isSameCandidates } from './same-candidates.js';
import { writtenFields } from './written-fields.js';

type Candidates = LLMResponse['candidates'];
type ResponsePart = NonNullable<NonNullable<Candidates>[number]['content']['parts']>[number];

/**
 * How returned model data is composed onto what stands (decisions 12, 14, 21): what a hook did not return keeps its value. `shown` is what
 * the hook was shown: of what it returned, a field equal to that is no write. It is not `current` where a hook beside it has written.
 */

/** Fields replace, `config` merges key by key: a hook that sets `topP` must not delete the temperature (decision 12). */
export function mergeLlmRequest(current: LLMRequest, patch: LLMRequest, shown: LLMRequest = current): LLMRequest {
  const merged = { ...current, ...writtenFields(patch, shown) };
  if (current.config && patch.config) merged.config = { ...current.config, ...writtenFields(patch.config, shown.config) };
  return merged;
}

/**
 * Fields replace. `text` and the text of the first candidate are one thing under two names, so the one that was changed is written to the
 * other: a hook that redacts one must not leave the original in the other, also where it prints the whole response. Where both were
 * changed, the candidates count. Of a candidate whose text is replaced, parts that are no text stay (decision 14).
 */
export function mergeLlmResponse(current: LLMResponse, patch: LLMResponse, shown: LLMResponse = current): LLMResponse {
  const { text, candidates, ...others } = patch;
  const merged: LLMResponse = { ...current, ...writtenFields(others, shown) };
  const writtenText = text === shown.text ? undefined : text;
  if (candidates === undefined || isSameCandidates(candidates, shown.candidates)) {
    return writtenText === undefined ? merged : withText(merged, writtenText);
  }
  merged.candidates = candidates;
  const [own, old, standing] = [candidates, shown.candidates, current.candidates].map(firstText) as [string, string, string];
  if (own === old) {
    // Something else of the candidates was changed: their text is the one that was changed under the other name, or by another hook.
    if (writtenText !== undefined) return withText(merged, writtenText);
    if (standing !== old) return withText(merged, standing);
  }
  if (current.text !== undefined || writtenText !== undefined) merged.text = own;
  return merged;
}

function withText(response: LLMResponse, text: string): LLMResponse {
  const [first, ...others] = response.candidates ?? [];
  if (first === undefined) return { ...response, text };
  const rest = (first.content.parts ?? []).filter((part) => textOf(part) === undefined);
  return { ...response, text, candidates: [{ ...first, content: { ...first.content, parts: [text, ...rest] } }, ...others] };
}

function firstText(candidates: Candidates): string {
  return (candidates?.[0]?.content.parts ?? []).map((part) => textOf(part) ?? '').join('');
}

function textOf(part: ResponsePart): string | undefined {
  return typeof part === 'string' ? part : part.text;
}

const modeRank = { AUTO: 0, ANY: 1, NONE: 2 } as const;

/** Names are united and sorted, NONE > ANY > AUTO, NONE empties the list; a config without a list adds no names (decision 21). */
export function mergeToolConfig(current: HookToolConfig | undefined, patch: HookToolConfig): HookToolConfig {
  const modes = [current?.mode, patch.mode].filter((mode) => mode !== undefined);
  const mode = modes.reduce((a, b) => (modeRank[a] >= modeRank[b] ? a : b), 'AUTO' as const as keyof typeof modeRank);
  const lists = [current?.allowedFunctionNames, patch.allowedFunctionNames].filter((list) => list !== undefined);
  const merged: HookToolConfig = { ...current, ...patch, mode };
  delete merged.allowedFunctionNames;
  if (mode === 'NONE') merged.allowedFunctionNames = [];
  else if (lists.length > 0) merged.allowedFunctionNames = [...new Set(lists.flat())].sort();
  return merged;
}
