import { describeValue } from '@tenterhook/runtime/text';

/** What one side holds at most. Give both sides the same. */
export interface SocketLimits {
  /** Bytes of the largest message as JSON, 1024 to 268435456. A larger one is refused `too_large`. @default 67108864 (64 MiB) */
  readonly maxMessageBytes?: number | undefined;

  /**
   * Bytes that may wait until one connection reads them, from 1024. One that does not read is ended when more has waited for a second without
   * any of it going out, or at four times as much; one message, however large, may always wait. @default 67108864 (64 MiB)
   */
  readonly maxWaitingBytes?: number | undefined;
}

export interface CheckedLimits {
  readonly maxMessageBytes: number;
  readonly maxWaitingBytes: number;
}

/** What a frame holds beside its message. The longest is a server with its route. */
export const envelopeBytes = 16 * 1024;

const mebibyte = 1024 * 1024;
/** A text of more characters than V8 has room for could not be decoded. */
const largestMessage = 256 * mebibyte;

export function checkLimits({ maxMessageBytes = 64 * mebibyte, maxWaitingBytes = 64 * mebibyte }: SocketLimits): CheckedLimits {
  requireInteger('maxMessageBytes', maxMessageBytes, 1024, largestMessage);
  requireInteger('maxWaitingBytes', maxWaitingBytes, 1024, Number.MAX_SAFE_INTEGER);
  return { maxMessageBytes, maxWaitingBytes };
}

export function requireInteger(name: string, value: unknown, least: number, most: number): void {
  if (!Number.isInteger(value) || (value as number) < least || (value as number) > most) {
    throw new TypeError(`${name} must be an integer from ${least} to ${most}, not ${describeValue(value)}`);
  }
}

export function requirePath(path: unknown): asserts path is string {
  if (typeof path !== 'string' || path === '' || path.includes('\0')) {
    throw new TypeError(`path must be a non-empty string without null characters, not ${describeValue(path)}`);
  }
}
