import { stat } from 'node:fs/promises';

/** A stamp for each file: a text that changes whenever the file may have changed. */
export type FileStamps = ReadonlyMap<string, string>;

/**
 * Returns a stamp for the state of a file: its identity, its size, and the times of its changes in nanoseconds. Follows links, so a link
 * with a new target gets another stamp. Files are checked five times a second, so the stamp does not include the content.
 */
export async function getStamp(file: string): Promise<string> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(file, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join(':');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown';
  }
}

export async function getStamps(files: readonly string[]): Promise<FileStamps> {
  return new Map(await Promise.all(files.map(async (file) => [file, await getStamp(file)] as const)));
}

export function isSameStamps(a: FileStamps, b: FileStamps): boolean {
  return a.size === b.size && [...a].every(([file, stamp]) => b.get(file) === stamp);
}
