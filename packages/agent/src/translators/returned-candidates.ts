import type { LLMResponse } from '@tenterhook/protocol';
import { isPlainObject, isSameJson } from '@tenterhook/runtime/json';
import { isSameList } from './fields.js';

/** A tool call as a hook writes it: `{ functionCall: { name, args, id? } }`. */
export interface ReturnedCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly id?: string;
}

export type ReturnedPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'call'; readonly call: ReturnedCall }
  /** A part that is neither a text nor a call. Written only if the SDK accepts any part. */
  | { readonly kind: 'other'; readonly part: object };

export interface ReturnedCandidate {
  readonly parts: readonly ReturnedPart[];
  readonly index?: number;
  readonly finishReason?: string;
  readonly safetyRatings?: readonly object[];
}

/**
 * Reads the candidates that a hook returned, and validates each field. With `textAloneIsOne`, a response with only a text counts as one
 * candidate.
 */
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

export function joinReturnedText(parts: readonly ReturnedPart[]): string {
  return parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
}

export function filterCalls(parts: readonly ReturnedPart[]): ReturnedPart[] {
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
  return { name: name as string, args: readArguments(args), ...readCallId(id) };
}

/** Reads the id of a call. Empty if it has none. */
export function readCallId(id: unknown): { readonly id?: string } {
  return typeof id === 'string' && id !== '' ? { id } : {};
}

/** Reads the arguments of a call: an object, or the JSON text of one. */
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

/** How the parts of one SDK's response are read and written. */
export interface ResponseParts<Part> {
  /** The part in the form that hooks write. Undefined if hooks cannot write such a part, e.g. a thought. */
  read(part: Part): ReturnedPart | undefined;
  /** A part for what a hook returned. Undefined if the SDK has no such part. */
  create(returned: ReturnedPart): Part | undefined;
}

/**
 * Converts the parts that a hook returned to the form of the SDK. If the model's response has a part with the same content, this part is
 * reused, at most once. It has data that hooks do not see and providers check, e.g. the id of a call, a signature, citations. Returns the
 * same list if nothing differs.
 */
export function reuseParts<Part>(
  format: ResponseParts<Part>,
  returned: readonly ReturnedPart[],
  originals: readonly Part[],
): readonly Part[] {
  const left = originals.map((part) => ({ part, read: format.read(part) }));
  const parts = returned.flatMap((wanted): Part[] => {
    const place = left.findIndex(({ read }) => read !== undefined && isSamePart(wanted, read));
    const part = place < 0 ? format.create(wanted) : left.splice(place, 1)[0]?.part;
    return part === undefined ? [] : [part];
  });
  return isSameList(parts, originals) ? originals : parts;
}

/** Creates the id of a call that a hook returned without one. Providers require a unique id. */
export function newCallId(prefix: string): string {
  return prefix + crypto.randomUUID().replaceAll('-', '');
}

function isSamePart(wanted: ReturnedPart, original: ReturnedPart): boolean {
  if (wanted.kind === 'text') return original.kind === 'text' && wanted.text === original.text;
  if (wanted.kind === 'call') return original.kind === 'call' && isSameCall(wanted.call, original.call);
  return false;
}

function isSameCall(wanted: ReturnedCall, original: ReturnedCall): boolean {
  const isSameId = wanted.id === undefined || wanted.id === original.id;
  return isSameId && wanted.name === original.name && isSameJson(wanted.args, original.args);
}
