import type { ClientFrame, HubFrame } from './socket-protocol.js';

/**
 * The frames that each request and its answer need. They have a compact form, which is written and read without JSON: a kind, flags, three
 * numbers of eight bytes, and then the message as JSON if there is one. All other frames are JSON. The first byte of a compact frame is
 * one with which no JSON begins, so frames of both forms can follow each other.
 */
export type CompactFrame = {
  readonly [Kind in CompactKind]: Omit<Extract<ClientFrame | HubFrame, { kind: Kind }>, 'message'>;
}[CompactKind];

type CompactKind = 'message' | 'own' | 'publish' | 'taken' | 'delivered' | 'placed';

/** All fields that a compact frame can have. */
interface Fields {
  readonly isNew?: boolean;
  readonly id?: number;
  readonly turn?: number;
  readonly server?: number;
  readonly unsolicited?: true;
  readonly delivery?: 'served' | 'unserved';
  readonly taken?: number;
  readonly placed?: number;
}

const codes = { message: 1, own: 2, publish: 3, taken: 4, delivered: 5, placed: 6 } as const satisfies Record<CompactKind, number>;
const lastCode = 6;

const flags = { isNew: 1, unsolicited: 2, hasTurn: 4, hasDelivery: 8, isServed: 16 } as const;

const [flagsAt, idAt, turnAt, serverAt] = [1, 2, 10, 18] as const;

/** The size of a compact frame without its message, in bytes. */
export const compactBytes = 26;

/** Whether a frame that begins with this byte is a compact one. */
export function isCompact(first: number | undefined): boolean {
  return first !== undefined && first > 0 && first <= lastCode;
}

/** Writes a frame without its message. */
export function writeCompact(bytes: Buffer, at: number, frame: CompactFrame): void {
  const { isNew, id, turn, server, unsolicited, delivery, taken, placed } = frame as Fields;
  bytes[at] = codes[frame.kind];
  bytes[at + flagsAt] =
    (isNew === true ? flags.isNew : 0) |
    (unsolicited === true ? flags.unsolicited : 0) |
    (turn === undefined ? 0 : flags.hasTurn) |
    (delivery === undefined ? 0 : flags.hasDelivery) |
    (delivery === 'served' ? flags.isServed : 0);
  bytes.writeDoubleBE(id ?? placed ?? 0, at + idAt);
  bytes.writeDoubleBE(turn ?? taken ?? 0, at + turnAt);
  bytes.writeDoubleBE(server ?? 0, at + serverAt);
}

/** Returns what the same frame would be in JSON, or undefined if it is invalid. */
export function readCompact(bytes: Buffer, at: number, message: unknown): ClientFrame | HubFrame | undefined {
  const code = bytes[at];
  const flag = bytes[at + flagsAt] as number;
  const id = bytes.readDoubleBE(at + idAt);
  const turn = bytes.readDoubleBE(at + turnAt);
  const server = bytes.readDoubleBE(at + serverAt);
  if (!Number.isSafeInteger(id) || !Number.isSafeInteger(turn) || !Number.isSafeInteger(server)) return undefined;
  const isNew = (flag & flags.isNew) !== 0;
  const turns = (flag & flags.hasTurn) === 0 ? undefined : { turn, server };
  const unsolicited = (flag & flags.unsolicited) === 0 ? undefined : { unsolicited: true as const };
  const delivery = (flag & flags.isServed) === 0 ? 'unserved' : 'served';
  switch (code) {
    case codes.publish:
      return unsolicited === undefined
        ? { kind: 'publish', id, taken: turn, message }
        : { kind: 'publish', id, taken: turn, message, ...unsolicited };
    case codes.message:
      return turns !== undefined && unsolicited === undefined
        ? { kind: 'message', isNew, placed: id, message, turn, server }
        : { kind: 'message', isNew, placed: id, message, ...turns, ...unsolicited };
    case codes.taken:
      return { kind: 'taken', turn };
    case codes.delivered:
      return { kind: 'delivered', id, delivery };
    case codes.placed:
      return { kind: 'placed', id };
    case codes.own:
      return { kind: 'own', isNew, id, ...turns, ...unsolicited, ...((flag & flags.hasDelivery) === 0 ? undefined : { delivery }) };
    default:
      return undefined;
  }
}
