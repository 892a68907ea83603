import { describeValue } from '@tenterhook/runtime/text';
import { SocketTransportError } from './socket-error.js';

/** Limits of the memory that one side uses. Give both sides the same limits. */
export interface SocketLimits {
  /**
   * Maximum size of a message in bytes of JSON, from 1024 to 268435456. A larger message is refused with the code `too_large`.
   * @default 67108864 (64 MiB)
   */
  readonly maxMessageBytes?: number | undefined;

  /**
   * Maximum number of bytes that wait to be sent to one connection, from 1024. If more bytes wait and none was sent for a second,
   * the connection is ended. If four times as many wait, it is ended at once. A single message may always wait, whatever its size.
   * @default 67108864 (64 MiB)
   */
  readonly maxWaitingBytes?: number | undefined;
}

export interface CheckedLimits {
  readonly maxMessageBytes: number;
  readonly maxWaitingBytes: number;
}

/** The maximum size in bytes of a frame without its message. The longest of the other fields is the route of a server. */
export const envelopeBytes = 16 * 1024;

const mebibyte = 1024 * 1024;
/** The upper limit of `maxMessageBytes`, in bytes. A longer message would not fit into a string of V8. */
const largestMessage = 256 * mebibyte;

export function checkLimits(
  caller: string,
  { maxMessageBytes = 64 * mebibyte, maxWaitingBytes = 64 * mebibyte }: SocketLimits,
): CheckedLimits {
  requireInteger(`${caller}: maxMessageBytes`, maxMessageBytes, 1024, largestMessage);
  requireInteger(`${caller}: maxWaitingBytes`, maxWaitingBytes, 1024, Number.MAX_SAFE_INTEGER);
  return { maxMessageBytes, maxWaitingBytes };
}

export function requireInteger(name: string, value: unknown, least: number, most: number): void {
  if (!Number.isInteger(value) || (value as number) < least || (value as number) > most) {
    throw new TypeError(`${name} must be an integer from ${least} to ${most}, and is ${describeValue(value)}.`);
  }
}

export function requirePath(caller: string, path: unknown): asserts path is string {
  if (typeof path !== 'string' || path === '' || path.includes('\0')) {
    throw new TypeError(`${caller}: path must be a non-empty string without null characters, and is ${describeValue(path)}.`);
  }
}

/** Tests the shape, because `instanceof` is false for signals of another realm. */
export function requireSignal(caller: string, signal: unknown): void {
  if (signal === undefined || typeof (signal as Partial<AbortSignal> | null)?.aborted === 'boolean') return;
  throw new TypeError(`${caller}: signal must be an AbortSignal, and is ${describeValue(signal)}.`);
}

/** In bytes. The system stores a path in 108 bytes on Linux and in 104 elsewhere, including a final zero. */
const longestPathBytes = process.platform === 'linux' ? 107 : 103;

/** Windows has named pipes. They are not files, so there is nothing to create, protect or remove. Not tested. */
export const isNamedPipe = process.platform === 'win32';

export function isTooLong(path: string): boolean {
  return Buffer.byteLength(path) > longestPathBytes;
}

export function checkPath(path: string): void {
  if (isNamedPipe || !isTooLong(path)) return;
  const bytes = Buffer.byteLength(path);
  const what = `The path ${path} has ${bytes} bytes, but the address of a socket can have at most ${longestPathBytes}.`;
  throw new SocketTransportError('invalid_path', what, 'Choose a shorter path, for example in $XDG_RUNTIME_DIR or /tmp.');
}
