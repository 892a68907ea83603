import { fstatSync, futimesSync, readSync } from 'node:fs';

/** An access time before any file was written. Every read changes it, also on file systems that seldom update access times. */
const longAgo = 0;

/**
 * Watches whether the process of a job reads its standard input. `fd` is the input file; the process receives the same open file. Returns a
 * function to call once, after the process has ended. It returns true if the process read nothing: reading through the descriptor would
 * have moved the position, and opening `/dev/stdin` and reading would have changed the access time. If the file system has no access times,
 * it returns false. The function reads the rest of the file, so it is used only when users try their hooks.
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
