import { isUtf8 } from 'node:buffer';
import { parseMessage } from '@tenterhook/bus';
import { isCorrelationId } from '@tenterhook/bus/internal';
import type { BusMessage } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { describeThrown } from '@tenterhook/runtime/text';
import { notJson, tooLarge } from '../nats-error.js';

/** The maximum size of a message: the limit that applies, and the one of the server. */
export interface MessageLimit {
  readonly maxMessageBytes: number;
  readonly maxPayload: number;
}

/** Throws a NatsTransportError, `not_json` or `too_large`, if the message cannot be sent. */
export function encodeMessage({ type, payload }: BusMessage, { maxMessageBytes, maxPayload }: MessageLimit): Uint8Array {
  let json: string;
  try {
    json = JSON.stringify({ type, payload });
  } catch (error) {
    throw notJson(error, describeThrown(error));
  }
  const bytes = Buffer.from(json);
  if (bytes.length > maxMessageBytes) throw tooLarge(bytes.length, maxMessageBytes, maxPayload);
  return bytes;
}

/** Returns the message, or the problem as a sentence for a log. */
export function decodeMessage(data: Uint8Array): BusMessage | { readonly problem: string } {
  const decoded = decodeJson(data);
  return 'problem' in decoded ? decoded : parseMessage(decoded.value);
}

/** Returns the correlation id of a message, or undefined if it has no valid one. */
export function idOf({ payload }: BusMessage): string | undefined {
  const id = (payload as { correlationId?: unknown } | null | undefined)?.correlationId;
  return isCorrelationId(id) ? id : undefined;
}

/** Returns the fields of a small object that one transport sends to another, or undefined if the data is not an object. */
export function decodeFields(data: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  const decoded = decodeJson(data);
  return 'value' in decoded && isPlainObject(decoded.value) ? decoded.value : undefined;
}

export function encodeFields(fields: Readonly<Record<string, unknown>>): Uint8Array {
  return Buffer.from(JSON.stringify(fields));
}

function decodeJson(data: Uint8Array): { readonly value: unknown } | { readonly problem: string } {
  const text = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('utf8');
  // `toString()` replaces invalid bytes by U+FFFD, which `JSON.parse` accepts.
  if (text.includes('\ufffd') && !isUtf8(data)) return { problem: 'data that is not UTF-8' };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { problem: 'data that is not JSON' };
  }
}
