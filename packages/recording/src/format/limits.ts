import { describeValue } from '@tenterhook/runtime/text';

/** How large a recording may become. */
export interface RecordingLimits {
  /** The maximum number of bytes of a line. Longer texts are shortened, the longest first. 4096 or more. @default 1 MiB */
  readonly maxLineBytes?: number | undefined;
  /** The maximum number of bytes of a file. The recording continues in another one. At least `maxLineBytes` + 4096. @default 64 MiB */
  readonly maxFileBytes?: number | undefined;
  /** The maximum number of files, from 1. Beyond it, the oldest is removed. @default 4 */
  readonly maxFiles?: number | undefined;
  /**
   * The maximum number of bytes in memory: of messages that wait to be written, or of a whole recording in memory. Beyond it, messages are
   * dropped and counted, progress first, requests and responses last. @default 16 MiB
   */
  readonly maxQueuedBytes?: number | undefined;
}

/** Limits with their defaults. */
export interface ResolvedLimits {
  readonly maxLineBytes: number;
  readonly maxFileBytes: number;
  readonly maxFiles: number;
  readonly maxQueuedBytes: number;
}

const mebibyte = 1024 * 1024;
/** Room for the header and the notes of a file. */
const leastLine = 4096;

/** Returns the limits with their defaults. Throws a TypeError that names an invalid one. */
export function resolveLimits(limits: RecordingLimits): ResolvedLimits {
  const { maxLineBytes = mebibyte, maxFileBytes = 64 * mebibyte, maxFiles = 4, maxQueuedBytes = 16 * mebibyte } = limits;
  requireCount('maxLineBytes', maxLineBytes, leastLine);
  requireCount('maxFileBytes', maxFileBytes, maxLineBytes + leastLine);
  requireCount('maxFiles', maxFiles, 1);
  requireCount('maxQueuedBytes', maxQueuedBytes, 1);
  return { maxLineBytes, maxFileBytes, maxFiles, maxQueuedBytes };
}

/** Throws a TypeError that names a limit that is not a whole number, or too small. */
export function requireCount(name: string, value: unknown, least: number): void {
  if (Number.isSafeInteger(value) && (value as number) >= least) return;
  throw new TypeError(`${name} must be a whole number from ${least}, and is ${describeValue(value)}.`);
}
