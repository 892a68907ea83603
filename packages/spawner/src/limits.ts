import { availableParallelism } from 'node:os';
import { longestTimerMs } from '@tenterhook/runtime/async';
import { describeValue } from '@tenterhook/runtime/text';

/** The bounds of one spawner. */
export interface SpawnerLimits {
  /**
   * Jobs that run at once; an integer from 1.
   * @default `max(8, 4 x cores)`, at most 32: most hooks wait rather than compute, and those that compute lose nothing up to 16 on two cores
   */
  readonly concurrency: number;

  /** Jobs that wait for their turn; one more is `not-started`, `overloaded` at once. 0: no job waits. @default 1024 */
  readonly queued: number;

  /** Milliseconds between SIGTERM and SIGKILL, 0 to 2147483647. @default 5000 */
  readonly killGraceMs: number;

  /** Bytes of stdout kept per job, 0 to 268435456. @default 16777216 (16 MiB) */
  readonly stdoutBytes: number;

  /** Bytes of stderr kept per job, 0 to 268435456. @default 1048576 (1 MiB) */
  readonly stderrBytes: number;
}

/** Half of the longest string of V8: a text of this many bytes can always be decoded (field failure 40). */
export const mostBytes = 268_435_456;

export const defaultLimits: SpawnerLimits = {
  concurrency: Math.min(32, Math.max(8, 4 * availableParallelism())),
  queued: 1024,
  killGraceMs: 5000,
  stdoutBytes: 16 * 1024 * 1024,
  stderrBytes: 1024 * 1024,
};

/** The defaults, overridden by what is given. A TypeError names the field that is invalid. */
export function resolveLimits(given: Partial<SpawnerLimits>): SpawnerLimits {
  const limits: SpawnerLimits = {
    concurrency: given.concurrency ?? defaultLimits.concurrency,
    queued: given.queued ?? defaultLimits.queued,
    killGraceMs: given.killGraceMs ?? defaultLimits.killGraceMs,
    stdoutBytes: given.stdoutBytes ?? defaultLimits.stdoutBytes,
    stderrBytes: given.stderrBytes ?? defaultLimits.stderrBytes,
  };
  requireInteger('concurrency', limits.concurrency, 1, Number.MAX_SAFE_INTEGER);
  requireInteger('queued', limits.queued, 0, Number.MAX_SAFE_INTEGER);
  requireNumber('killGraceMs', limits.killGraceMs, 0, longestTimerMs);
  requireInteger('stdoutBytes', limits.stdoutBytes, 0, mostBytes);
  requireInteger('stderrBytes', limits.stderrBytes, 0, mostBytes);
  return limits;
}

/** Strings are refused too: "5" would pass a comparison and fail in arithmetic (field failure 34). */
export function requireNumber(name: string, value: unknown, least: number, most: number): void {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < least || value > most) {
    throw new TypeError(`${name} must be a number from ${least} to ${most}, not ${describeValue(value)}`);
  }
}

export function requireInteger(name: string, value: unknown, least: number, most: number): void {
  if (!Number.isInteger(value) || (value as number) < least || (value as number) > most) {
    throw new TypeError(`${name} must be an integer from ${least} to ${most}, not ${describeValue(value)}`);
  }
}
