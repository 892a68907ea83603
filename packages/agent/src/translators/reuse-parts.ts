import { isSameJson } from '@tenterhook/runtime/json';
import type { ReturnedCall, ReturnedPart } from './returned-candidates.js';
import { isSameList } from './same-list.js';

/** How the parts of one SDK's response are read and written. */
export interface ResponseParts<Part> {
  /** As a hook would write it; undefined for what hooks cannot write, such as a thought. */
  read(part: Part): ReturnedPart | undefined;
  /** Undefined for what the SDK has no part for. */
  create(returned: ReturnedPart): Part | undefined;
}

/**
 * The parts a hook returned, in the form of the SDK. The model's own part is taken where it says the same, each at most once: it carries
 * what hooks do not see and providers check (the id of a call, a signature, citations). The very same list when nothing differs.
 */
export function reuseParts<Part>(
  format: ResponseParts<Part>,
  returned: readonly ReturnedPart[],
  originals: readonly Part[],
): readonly Part[] {
  const left = originals.map((part) => ({ part, read: format.read(part) }));
  const parts = returned.flatMap((wanted): Part[] => {
    const place = left.findIndex(({ read }) => read !== undefined && saysTheSame(wanted, read));
    const part = place < 0 ? format.create(wanted) : left.splice(place, 1)[0]?.part;
    return part === undefined ? [] : [part];
  });
  return isSameList(parts, originals) ? originals : parts;
}

/** For a call of a hook that brings no id: providers want one that no other call of the conversation has. */
export function newCallId(prefix: string): string {
  return prefix + crypto.randomUUID().replaceAll('-', '');
}

function saysTheSame(wanted: ReturnedPart, original: ReturnedPart): boolean {
  if (wanted.kind === 'text') return original.kind === 'text' && wanted.text === original.text;
  if (wanted.kind === 'call') return original.kind === 'call' && isSameCall(wanted.call, original.call);
  return false;
}

function isSameCall(wanted: ReturnedCall, original: ReturnedCall): boolean {
  const isSameId = wanted.id === undefined || wanted.id === original.id;
  return isSameId && wanted.name === original.name && isSameJson(wanted.args, original.args);
}
