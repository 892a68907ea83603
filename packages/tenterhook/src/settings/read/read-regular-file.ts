import { constants, type Stats } from 'node:fs';
import { open, stat } from 'node:fs/promises';

const chunkBytes = 64 * 1024;

/** The text of a file, or why it was not read. */
export type RegularFile = { readonly text: string } | { readonly problem: string; readonly remedy: string; readonly isDirectory?: true };

/**
 * Reads a settings file if it is a regular file of at most `maxBytes`. Rejects with the error of the file system.
 *
 * A repository can contain a link to anything. Reading a pipe or /dev/zero never ends, and opening some devices has side effects. So the
 * file is checked before it is opened, and again afterwards, because it may have been replaced. The limit keeps a repository from filling
 * the memory of this process.
 */
export async function readRegularFile(file: string, maxBytes: number): Promise<RegularFile> {
  const refusal = findRefusal(await stat(file), maxBytes);
  if (refusal !== undefined) return refusal;
  // Windows lacks these flags, and also the kinds of files for which they are needed.
  const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0));
  try {
    const opened = findRefusal(await handle.stat(), maxBytes);
    if (opened !== undefined) return opened;
    const chunks: Buffer[] = [];
    let bytes = 0;
    // Counts the bytes while reading, because the reported size is not reliable: it is 0 for a file in /proc, and a file may grow.
    while (bytes <= maxBytes) {
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, null);
      if (bytesRead === 0) return { text: Buffer.concat(chunks).toString('utf8') };
      chunks.push(buffer.subarray(0, bytesRead));
      bytes += bytesRead;
    }
    return tooLarge('more bytes', maxBytes);
  } finally {
    await handle.close();
  }
}

function findRefusal(stats: Stats, maxBytes: number): RegularFile | undefined {
  if (!stats.isFile()) {
    const problem = `The settings file must be a regular file, and is ${describeKind(stats)}.`;
    return { problem, remedy: 'Put a regular file in its place, or remove it.', ...(stats.isDirectory() ? { isDirectory: true } : {}) };
  }
  return stats.size > maxBytes ? tooLarge(`${stats.size} bytes, more`, maxBytes) : undefined;
}

function tooLarge(size: string, maxBytes: number): RegularFile {
  const problem = `The settings file has ${size} than the limit of ${maxBytes} (${maxBytes / 1024 / 1024} MiB).`;
  return { problem, remedy: 'Move everything that is not about hooks to another file.' };
}

function describeKind(stats: Stats): string {
  if (stats.isDirectory()) return 'a directory';
  if (stats.isFIFO()) return 'a pipe';
  if (stats.isSocket()) return 'a socket';
  return stats.isCharacterDevice() || stats.isBlockDevice() ? 'a device' : 'something else';
}
