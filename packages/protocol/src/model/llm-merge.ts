import { isPlainObject, isSameJson } from '@tenterhook/runtime/json';
import type { HookToolConfig, LLMRequest, LLMResponse } from './llm.js';

type Candidates = LLMResponse['candidates'];
type ResponsePart = NonNullable<NonNullable<Candidates>[number]['content']['parts']>[number];

/**
 * These functions apply model data that a hook returned to the current data (decisions 12, 14, 21). Fields that the hook did not
 * return keep their values. `shown` is the data that the hook received: the hook has written only the returned fields that differ
 * from `shown`. `current` differs from `shown` if another hook of the same stage has written in the meantime.
 */

/**
 * Replaces the fields that the hook returned. `config` is merged key by key: a hook that sets `topP` does not delete the temperature
 * (decision 12).
 */
export function mergeLlmRequest(current: LLMRequest, patch: LLMRequest, shown: LLMRequest = current): LLMRequest {
  const merged = { ...current, ...writtenFields(patch, shown) };
  if (current.config && patch.config) merged.config = { ...current.config, ...writtenFields(patch.config, shown.config) };
  return merged;
}

/**
 * Replaces the fields that the hook returned. `text` is the text of the first candidate, so a change of one is also written to the
 * other. Otherwise a secret that a hook removed from one of them would stay in the other. If the hook changed both, the candidates
 * win. Parts of a candidate that are not text stay (decision 14).
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
    // The hook changed the candidates, but not their text. The new text is then `text` if the hook changed `text`. Otherwise it is
    // the text of the current response, which another hook may have changed.
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

/**
 * Unites the lists of names and sorts the result. The most restrictive mode wins: NONE, then ANY, then AUTO. NONE empties the list.
 * A config without a list adds no names (decision 21).
 */
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
 * Tests whether a hook has replaced the candidates, or has only returned what it received. Hooks do not see the tool calls in
 * candidates. So after a guard has removed a tool call, its candidates may look unchanged. The rules:
 * - Candidates that differ from the received ones replace them.
 * - Candidates that are the only field replace them, even if they are equal. In this way a guard removes tool calls.
 * - Equal candidates with another field, such as `text`, replace nothing: the hook has only returned the response that it received.
 *
 * `shown` are the candidates that the hook may have received: those of the model, and those that earlier hooks left.
 */
export function replacesCandidates(returned: LLMResponse, shown: readonly LLMResponse['candidates'][]): boolean {
  const { candidates, ...others } = returned;
  if (candidates === undefined) return false;
  const standAlone = Object.values(others).every((value) => value === undefined);
  return standAlone || !shown.some((each) => isSameCandidates(candidates, each));
}

/** Tests whether two lists of candidates are equal. A text part may also be written as `{ text }` (decision 14). */
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
 * Returns the fields that the hook has changed. Many hooks change one field and print the whole object. Their unchanged fields must
 * not undo what another hook changed at the same time.
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
