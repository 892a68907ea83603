import { availableParallelism } from 'node:os';
import { longestTimerMs } from '@tenterhook/runtime/async';
import { describeValue, suggestName } from '@tenterhook/runtime/text';

/** The limits of one spawner. */
export interface SpawnerLimits {
  /**
   * Maximum number of jobs that run at once, an integer from 1. The default exceeds the number of cores, because most hooks wait for
   * something instead of computing. @default `max(8, 4 x cores)`, at most 32
   */
  readonly concurrency: number;

  /**
   * Maximum number of jobs that wait for their turn. A job beyond it is `not-started` at once, with the reason `overloaded`. With 0, no job
   * waits.
   * @default 1024
   */
  readonly queued: number;

  /** Milliseconds between SIGTERM and SIGKILL, 0 to 2147483647. @default 5000 */
  readonly killGraceMs: number;

  /** Bytes of stdout kept per job, 0 to 268435456. @default 16777216 (16 MiB) */
  readonly stdoutBytes: number;

  /** Bytes of stderr kept per job, 0 to 268435456. @default 1048576 (1 MiB) */
  readonly stderrBytes: number;
}

/** The ways in which a spawner can start processes. */
export type SpawnerKind = 'auto' | 'lanes' | 'direct';

/** How a spawner starts processes. */
export interface SpawnerOptions {
  /**
   * `auto`: on Linux, resident bash shells (lanes) start the shell commands that give the same result there. They block the event loop for a
   * fraction of the time; other jobs are started directly. `lanes`: the same, with a process warning if no lane can be used on this machine.
   * `direct`: this process starts each job.
   * @default the environment variable `TENTERHOOK_SPAWNER`, else 'auto'
   */
  readonly spawner?: SpawnerKind;
}

/** Returns the options with defaults. Throws a TypeError for an unknown value. An unknown value in the environment causes a warning. */
export function resolveOptions({ spawner }: SpawnerOptions, env: NodeJS.ProcessEnv = process.env): Required<SpawnerOptions> {
  if (spawner !== undefined) {
    if (!isSpawnerKind(spawner)) throw new TypeError(`"spawner" must be "auto", "lanes" or "direct", and is ${describeValue(spawner)}`);
    return { spawner };
  }
  const wished = env[spawnerVariable] || 'auto';
  if (isSpawnerKind(wished)) return { spawner: wished };
  process.emitWarning(
    `The environment variable ${spawnerVariable} must be "auto", "lanes" or "direct", and is ${describeValue(wished)}. "auto" is used.`,
  );
  return { spawner: 'auto' };
}

const spawnerVariable = 'TENTERHOOK_SPAWNER';

function isSpawnerKind(value: unknown): value is SpawnerKind {
  return value === 'auto' || value === 'lanes' || value === 'direct';
}

/**
 * The upper limit of `stdoutBytes` and `stderrBytes`: half of V8's longest string. The kept bytes can always be decoded (field failure 40).
 */
export const mostBytes = 268_435_456;

export const defaultLimits: SpawnerLimits = {
  concurrency: Math.min(32, Math.max(8, 4 * availableParallelism())),
  queued: 1024,
  killGraceMs: 5000,
  stdoutBytes: 16 * 1024 * 1024,
  stderrBytes: 1024 * 1024,
};

/** Returns the limits, with defaults for the missing ones. Throws a TypeError that names an invalid field. */
export function resolveLimits(given: Partial<SpawnerLimits>): SpawnerLimits {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(defaultLimits, name));
  if (unknown !== undefined) {
    const names = Object.keys(defaultLimits);
    throw new TypeError(`"limits" has no option "${unknown}". ${suggestName(unknown, names, `Its options are ${names.join(', ')}.`)}`);
  }
  const limits: SpawnerLimits = {
    concurrency: given.concurrency ?? defaultLimits.concurrency,
    queued: given.queued ?? defaultLimits.queued,
    killGraceMs: given.killGraceMs ?? defaultLimits.killGraceMs,
    stdoutBytes: given.stdoutBytes ?? defaultLimits.stdoutBytes,
    stderrBytes: given.stderrBytes ?? defaultLimits.stderrBytes,
  };
  requireInteger('"limits.concurrency"', limits.concurrency, 1, Number.MAX_SAFE_INTEGER);
  requireInteger('"limits.queued"', limits.queued, 0, Number.MAX_SAFE_INTEGER);
  requireNumber('"limits.killGraceMs"', limits.killGraceMs, 0, longestTimerMs);
  requireInteger('"limits.stdoutBytes"', limits.stdoutBytes, 0, mostBytes);
  requireInteger('"limits.stderrBytes"', limits.stderrBytes, 0, mostBytes);
  return limits;
}

/**
 * Throws a TypeError unless the value is a number in the range. Rejects strings too: "5" would pass a comparison, but "5" + 1 is "51"
 * (field failure 34).
 */
export function requireNumber(name: string, value: unknown, least: number, most: number): void {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < least || value > most) {
    throw new TypeError(`${name} must be a number from ${least} to ${most}, and is ${describeValue(value)}`);
  }
}

export function requireInteger(name: string, value: unknown, least: number, most: number): void {
  if (!Number.isInteger(value) || (value as number) < least || (value as number) > most) {
    throw new TypeError(`${name} must be an integer from ${least} to ${most}, and is ${describeValue(value)}`);
  }
}
