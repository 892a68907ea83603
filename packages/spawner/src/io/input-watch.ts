import { fstatSync, futimesSync, readSync } from 'node:fs';

/** Long before any file was written, so that every read moves it, also on file systems that seldom update access times. */
const longAgo = 0;

/**
 * Watches whether the process of a job reads its standard input, a file that is open in `fd` and that the process receives as the same open file.
 * Returns the question, for after its end: true if nothing was read, neither from the descriptor, which moves its position, nor by opening
 * `/dev/stdin`, which only moves the access time. False if that cannot be known, on a file system without access times. The question reads the rest of
 * the file: ask once, and only where a user tries a hook.
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
