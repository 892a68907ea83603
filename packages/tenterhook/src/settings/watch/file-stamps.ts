import { stat } from 'node:fs/promises';

/** Files, and a text for each that is another one whenever the file may be. */
export type FileStamps = ReadonlyMap<string, string>;

/**
 * What tells one state of a file from the next: which file it is, how long, and when it was changed, to the nanosecond. The file behind a
 * link, so that a link which leads elsewhere shows, too. Not its text: it would be read five times a second.
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
