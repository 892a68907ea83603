import { type BigIntStats, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';

/** A stamp for each file: a text that changes whenever the file may have changed. */
export type FileStamps = ReadonlyMap<string, string>;

/**
 * Returns a stamp for the state of a file: its identity, its size, and the times of its changes in nanoseconds. Follows links, so a link
 * with a new target gets another stamp. Files are checked five times a second, so the stamp does not include the content.
 */
export async function getStamp(file: string): Promise<string> {
  try {
    return stampOf(await stat(file, { bigint: true }));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown';
  }
}

/** Like `getStamp`, for a process that has nothing else to do. A few dozen files take less time than one wait. */
export function getStampNow(file: string): string {
  try {
    return stampOf(statSync(file, { bigint: true }));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown';
  }
}

function stampOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(':');
}

/** Tests whether no file has changed since its stamp was taken. */
export function isCurrent(stamps: FileStamps): boolean {
  return [...stamps].every(([file, stamp]) => getStampNow(file) === stamp);
}

export async function getStamps(files: readonly string[]): Promise<FileStamps> {
  return new Map(await Promise.all(files.map(async (file) => [file, await getStamp(file)] as const)));
}

export function isSameStamps(a: FileStamps, b: FileStamps): boolean {
  return a.size === b.size && [...a].every(([file, stamp]) => b.get(file) === stamp);
}
