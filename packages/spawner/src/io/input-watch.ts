import { fstatSync, futimesSync, readSync } from 'node:fs';

/**
 * The access time that is set before the process starts. It is older than any file, so every read changes it. A recent time was rejected:
 * many file systems update the access time at most once a day, so a read might not change it.
 */
const longAgo = 0;

/**
 * Watches whether a process reads its standard input. `fd` is the input file that the process receives.
 *
 * Call the returned function once, after the process has ended. It returns true if the process read nothing. It detects two kinds of reads:
 * a read through the descriptor has moved the position of the file, and a read of `/dev/stdin` has changed the access time of the file. It
 * returns false if the file system keeps no access times.
 *
 * The returned function also reads the rest of the file, which takes time. So it is used only when users try their hooks.
 */
export function watchInput(fd: number): () => boolean {
  const { mtimeMs, size } = fstatSync(fd);
  futimesSync(fd, longAgo, mtimeMs / 1000);
  return () => {
    if (fstatSync(fd).atimeMs !== longAgo) return false;
    return countRest(fd) === size && size > 0 && fstatSync(fd).atimeMs !== longAgo;
  };
}

function countRest(fd: number): number {
  const buffer = Buffer.alloc(65_536);
  let bytes = 0;
  for (let read = readSync(fd, buffer); read > 0; read = readSync(fd, buffer)) bytes += read;
  return bytes;
}
