import { isPlainObject, isSameJson } from '@tenterhook/runtime/json';
import type { LLMResponse } from './llm.js';

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
