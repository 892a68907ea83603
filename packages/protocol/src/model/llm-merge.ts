import { isPlainObject, isSameJson } from '@tenterhook/runtime/json';
import type { HookToolConfig, LLMRequest, LLMResponse } from './llm.js';

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

/** Whether two lists of candidates say the same; a part that is a text may be written as `{ text }` (decision 14). */
export function isSameCandidates(a: LLMResponse['candidates'], b: LLMResponse['candidates']): boolean {
  return isSameJson(spelled(a), spelled(b));
}

function spelled(candidates: unknown): unknown {
  return Array.isArray(candidates) ? candidates.map(spelledCandidate) : candidates;
}

function spelledCandidate(candidate: unknown): unknown {
  const content = isPlainObject(candidate) ? candidate['content'] : undefined;
  if (!isPlainObject(candidate) || !isPlainObject(content) || !Array.isArray(content['parts'])) return candidate;
  return { ...candidate, content: { ...content, parts: content['parts'].map(spelledPart) } };
}

function spelledPart(part: unknown): unknown {
  return isPlainObject(part) && typeof part['text'] === 'string' && Object.keys(part).length === 1 ? part['text'] : part;
}

/**
 * What a hook returned without the fields that are as it was shown them: a hook that changes one field and prints the whole object has
 * written that one. Side by side with another hook it would else undo what the other changed.
 */
export function writtenFields<Fields extends object>(returned: Fields, shown: object | undefined): Fields {
  const now = returned as Readonly<Record<string, unknown>>;
  const old = (shown ?? {}) as Readonly<Record<string, unknown>>;
  const handedBack = Object.keys(old).filter((field) => Object.hasOwn(now, field) && isSameJson(now[field], old[field]));
  if (handedBack.length === 0) return returned;
  const written: Record<string, unknown> = { ...now };
  for (const field of handedBack) delete written[field];
  return written as Fields;
}
