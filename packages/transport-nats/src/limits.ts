import { describeValue } from '@tenterhook/runtime/text';

/** Limits of the memory and of the waiting of one process. */
export interface NatsLimits {
  /**
   * Maximum size of a message in bytes of JSON, from 1024. A larger message is refused with the code `too_large`. The limit of the
   * server (`max_payload`, by default 1 MiB) minus 4 KiB for headers applies if it is lower.
   * @default what the server accepts
   */
  readonly maxMessageBytes?: number | undefined;

  /**
   * Maximum number of bytes that the server has not confirmed, from 1024. Beyond it, requests and progress messages are refused
   * with the code `overloaded`. Answers that wait for a reconnection are bounded by it, too.
   * @default 67108864 (64 MiB)
   */
  readonly maxWaitingBytes?: number | undefined;

  /** Maximum number of requests of this process that wait for an answer, from 1. @default 4096 */
  readonly maxRequests?: number | undefined;

  /**
   * Milliseconds until a worker must have confirmed that it received a request, from 1 to 2147483647. After this time the request
   * ends with `disconnected`.
   * @default 5000
   */
  readonly confirmMs?: number | undefined;

  /**
   * Milliseconds between two checks whether the workers that have requests of this process still exist, from 1 to 2147483647. If
   * two checks in a row find no worker, its requests end with an error.
   * @default 2000
   */
  readonly aliveMs?: number | undefined;
}

export interface CheckedLimits {
  readonly maxMessageBytes: number;
  readonly maxWaitingBytes: number;
  readonly maxRequests: number;
  readonly confirmMs: number;
  readonly aliveMs: number;
}

/** The maximum size in bytes of the headers of a message. */
export const headerBytes = 4096;

const longestMs = 2 ** 31 - 1;

export function checkLimits(
  caller: string,
  {
    maxMessageBytes = Number.MAX_SAFE_INTEGER,
    maxWaitingBytes = 64 * 1024 * 1024,
    maxRequests = 4096,
    confirmMs = 5000,
    aliveMs = 2000,
  }: NatsLimits,
): CheckedLimits {
  requireInteger(`${caller}: maxMessageBytes`, maxMessageBytes, 1024, Number.MAX_SAFE_INTEGER);
  requireInteger(`${caller}: maxWaitingBytes`, maxWaitingBytes, 1024, Number.MAX_SAFE_INTEGER);
  requireInteger(`${caller}: maxRequests`, maxRequests, 1, Number.MAX_SAFE_INTEGER);
  requireInteger(`${caller}: confirmMs`, confirmMs, 1, longestMs);
  requireInteger(`${caller}: aliveMs`, aliveMs, 1, longestMs);
  return { maxMessageBytes, maxWaitingBytes, maxRequests, confirmMs, aliveMs };
}

export function requireInteger(name: string, value: unknown, least: number, most: number): void {
  if (!Number.isInteger(value) || (value as number) < least || (value as number) > most) {
    throw new TypeError(`${name} must be an integer from ${least} to ${most}, and is ${describeValue(value)}.`);
  }
}

/** A namespace, project or client is one token of a subject, so that permissions can name it. */
export function requireToken(name: string, value: unknown): void {
  if (typeof value === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(value)) return;
  throw new TypeError(`${name} must have 1 to 64 letters, digits, hyphens or underscores, and is ${describeValue(value)}.`);
}

/** Tests the shape, because `instanceof` is false for signals of another realm. */
export function requireSignal(caller: string, signal: unknown): void {
  if (signal === undefined || typeof (signal as Partial<AbortSignal> | null)?.aborted === 'boolean') return;
  throw new TypeError(`${caller}: signal must be an AbortSignal, and is ${describeValue(signal)}.`);
}
