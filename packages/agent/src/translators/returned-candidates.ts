import type { LLMResponse } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';

/** A tool call as a hook writes it: `{ functionCall: { name, args, id? } }`. */
export interface ReturnedCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly id?: string;
}

export type ReturnedPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'call'; readonly call: ReturnedCall }
  /** What is neither; only an SDK whose parts are open can carry it. */
  | { readonly kind: 'other'; readonly part: object };

export interface ReturnedCandidate {
  readonly parts: readonly ReturnedPart[];
  readonly index?: number;
  readonly finishReason?: string;
  readonly safetyRatings?: readonly object[];
}

/** The candidates a hook returned, read with care; of a response that is a text alone, one candidate with it. */
export function readCandidates(changed: LLMResponse, textAloneIsOne: boolean): ReturnedCandidate[] {
  const candidates: readonly unknown[] = Array.isArray(changed.candidates) ? changed.candidates : [];
  if (candidates.length === 0 && textAloneIsOne) return [{ parts: typeof changed.text === 'string' ? readPart(changed.text) : [] }];
  return candidates.filter(isPlainObject).map((candidate) => {
    const content = isPlainObject(candidate['content']) ? candidate['content'] : {};
    const { index, finishReason, safetyRatings } = candidate;
    return {
      parts: Array.isArray(content['parts']) ? content['parts'].flatMap(readPart) : [],
      ...(typeof index === 'number' ? { index } : {}),
      ...(typeof finishReason === 'string' ? { finishReason } : {}),
      ...(Array.isArray(safetyRatings) ? { safetyRatings: safetyRatings.filter(isPlainObject) } : {}),
    };
  });
}

export function textOfParts(parts: readonly ReturnedPart[]): string {
  return parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
}

export function callsOnly(parts: readonly ReturnedPart[]): ReturnedPart[] {
  return parts.filter((part) => part.kind === 'call');
}

function readPart(part: unknown): ReturnedPart[] {
  if (typeof part === 'string') return part === '' ? [] : [{ kind: 'text', text: part }];
  if (!isPlainObject(part)) return [];
  const { functionCall, text } = part;
  if (isPlainObject(functionCall) && typeof functionCall['name'] === 'string') return [{ kind: 'call', call: readCall(functionCall) }];
  if (typeof text === 'string' && part['thought'] !== true) return readPart(text);
  return [{ kind: 'other', part }];
}

function readCall({ name, args, id }: Record<string, unknown>): ReturnedCall {
  return { name: name as string, args: readArguments(args), ...(typeof id === 'string' && id !== '' ? { id } : {}) };
}

/** An object, or the JSON text of one. */
export function readArguments(args: unknown): Record<string, unknown> {
  if (isPlainObject(args)) return args;
  if (typeof args !== 'string') return {};
  try {
    const parsed: unknown = JSON.parse(args);
    return isPlainObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
}
