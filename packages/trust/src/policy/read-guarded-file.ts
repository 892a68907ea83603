import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from 'node:fs';
import { codeOf, describeThrown } from '@tenterhook/runtime/text';

/** The bytes of a file, or why it was not read. `problem` is the rest of a sentence that begins with the path of the file. */
export type GuardedFile = { readonly bytes: Buffer } | { readonly problem: string };

const chunkBytes = 64 * 1024;
/** Node takes buffers of this size from a pool. So the last read, which only finds the end of the file, needs no new memory. */
const minChunkBytes = 1024;

/**
 * Reads a file that another user, or a repository, may have created. Returns undefined if the file does not exist. Reads only a regular
 * file of at most `maxBytes`, and follows no link. `judge` returns what is wrong with the owner or the mode of the file.
 *
 * The file is checked before it is opened, because opening some devices has side effects. It is checked again after it is opened, because
 * it may have been replaced in between. If the path is a pipe, the call does not wait.
 */
export function readGuardedFile(file: string, maxBytes: number, judge: (stats: Stats) => string | undefined): GuardedFile | undefined {
  const findProblem = (stats: Stats): string | undefined => describeKind(stats) ?? judge(stats) ?? describeSize(stats.size, maxBytes);
  let descriptor: number | undefined;
  try {
    const found = findProblem(lstatSync(file));
    if (found !== undefined) return { problem: found };
    // On Windows these two flags do not exist.
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(descriptor);
    const opened = findProblem(stats);
    if (opened !== undefined) return { problem: opened };
    const chunks: Buffer[] = [];
    let bytes = 0;
    // The size of a file that is being written is not reliable, so it is not used.
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
