import type { HookToolConfig, LLMRequest, LLMResponse } from './llm.js';

type ResponsePart = NonNullable<NonNullable<LLMResponse['candidates']>[number]['content']['parts']>[number];

/** How returned model data is composed onto what stands (decisions 12, 14, 21): what a hook did not return keeps its value. */

/** Fields replace, `config` merges key by key: a hook that sets `topP` must not delete the temperature (decision 12). */
export function mergeLlmRequest(current: LLMRequest, patch: LLMRequest): LLMRequest {
  const merged = { ...current, ...patch };
  if (current.config && patch.config) merged.config = { ...current.config, ...patch.config };
  return merged;
}

/**
 * Fields replace. `text` and the text of the first candidate are one thing under two names, so whichever of them is returned alone is
 * written to the other: a hook that redacts one must not leave the original in the other. Of a candidate whose text is replaced, parts
 * that are no text stay (decision 14).
 */
export function mergeLlmResponse(current: LLMResponse, patch: LLMResponse): LLMResponse {
  const merged = { ...current, ...patch };
  const [first, ...others] = current.candidates ?? [];
  if (patch.text !== undefined && patch.candidates === undefined && first !== undefined) {
    const rest = (first.content.parts ?? []).filter((part) => textOf(part) === undefined);
    merged.candidates = [{ ...first, content: { ...first.content, parts: [patch.text, ...rest] } }, ...others];
  }
  if (patch.candidates !== undefined && patch.text === undefined && current.text !== undefined) {
    merged.text = (patch.candidates[0]?.content.parts ?? []).map((part) => textOf(part) ?? '').join('');
  }
  return merged;
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
