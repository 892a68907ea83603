import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from 'node:fs';
import { codeOf, describeThrown } from '@tenterhook/runtime/text';

/** The bytes of a file, or why it was not read: the end of a sentence that begins with its path. */
export type GuardedFile = { readonly bytes: Buffer } | { readonly problem: string };

const chunkBytes = 64 * 1024;
/** Small enough for the pool of Node, so that the read which finds the end of the file allocates nothing. */
const minChunkBytes = 1024;

/**
 * Reads a file that another user, or a repository, may have put there. Undefined if there is none. Only a regular file of at most `maxBytes`
 * is read, and no link at its name. It is inspected before it is opened, because opening some devices has effects, and again afterwards,
 * because it may have been replaced; a pipe does not make this wait. `judge` returns what is wrong with the file's owner or mode.
 */
export function readGuardedFile(file: string, maxBytes: number, judge: (stats: Stats) => string | undefined): GuardedFile | undefined {
  const findProblem = (stats: Stats): string | undefined => describeKind(stats) ?? judge(stats) ?? describeSize(stats.size, maxBytes);
  let descriptor: number | undefined;
  try {
    const found = findProblem(lstatSync(file));
    if (found !== undefined) return { problem: found };
    // Windows has neither of these flags.
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(descriptor);
    const opened = findProblem(stats);
    if (opened !== undefined) return { problem: opened };
    const chunks: Buffer[] = [];
    let bytes = 0;
    // The size is not trusted: a file that is being written grows.
    while (bytes <= maxBytes) {
      const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, Math.max(stats.size - bytes, minChunkBytes)));
      const count = readSync(descriptor, chunk, 0, chunk.length, null);
      if (count === 0) return { bytes: Buffer.concat(chunks) };
      chunks.push(chunk.subarray(0, count));
      bytes += count;
    }
    return { problem: describeSize(bytes, maxBytes) as string };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    return { problem: `cannot be read: ${describeThrown(error)}` };
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function describeSize(bytes: number, maxBytes: number): string | undefined {
  return bytes > maxBytes ? `has ${bytes} bytes, more than the limit of ${maxBytes}` : undefined;
}

function describeKind(stats: Stats): string | undefined {
  if (stats.isFile()) return undefined;
  const kind = stats.isSymbolicLink() ? 'a link' : stats.isDirectory() ? 'a directory' : stats.isFIFO() ? 'a pipe' : 'a socket or a device';
  return `is ${kind}, and must be a regular file`;
}
