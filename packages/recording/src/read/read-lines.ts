import type { FileHandle } from 'node:fs/promises';

/** A line of a file. */
export interface Line {
  /** From 1. */
  readonly number: number;
  /** Undefined if the line is longer than allowed. */
  readonly bytes: Buffer | undefined;
  /** False for a last line without a line break. */
  readonly isWhole: boolean;
}

const blockBytes = 256 * 1024;
const lineBreak = 10;

/** Reads a file line by line, so that a file may be larger than the memory. A line that is too long is skipped, and takes no memory. */
export async function* readLines(file: FileHandle, maxLineBytes: number): AsyncGenerator<Line> {
  const block = Buffer.allocUnsafe(blockBytes);
  let parts: Buffer[] = [];
  let bytes = 0;
  let number = 1;
  const add = (part: Buffer) => {
    bytes += part.length;
    // A copy, because the next read overwrites the block.
    if (bytes <= maxLineBytes) parts.push(Buffer.from(part));
    else parts = [];
  };
  const take = (isWhole: boolean): Line => {
    const line = bytes > maxLineBytes ? undefined : Buffer.concat(parts);
    parts = [];
    bytes = 0;
    return { number: number++, bytes: line, isWhole };
  };
  for (;;) {
    const { bytesRead } = await file.read(block, 0, blockBytes, null);
    if (bytesRead === 0) break;
    const read = block.subarray(0, bytesRead);
    let from = 0;
    for (let end = read.indexOf(lineBreak); end >= 0; end = read.indexOf(lineBreak, from)) {
      add(read.subarray(from, end));
      from = end + 1;
      yield take(true);
    }
    if (from < bytesRead) add(read.subarray(from));
  }
  if (bytes > 0) yield take(false);
}
