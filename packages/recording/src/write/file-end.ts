import { closeSync, constants, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs';

const blockBytes = 64 * 1024;

/** The last number and the last time of some lines. */
export interface Numbers {
  readonly n: number;
  readonly t: number;
}

export function latest(one: Numbers, other: Numbers): Numbers {
  return { n: Math.max(one.n, other.n), t: Math.max(one.t, other.t) };
}

/** Returns the last numbers in closed parts, from the last one with a number. */
export function numbersOf(parts: readonly string[]): Numbers {
  let found: Numbers = { n: 0, t: 0 };
  for (const path of [...parts].reverse()) {
    if (found.n > 0) break;
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      found = latest(found, readEnd(descriptor, fstatSync(descriptor).size));
    } finally {
      closeSync(descriptor);
    }
  }
  return found;
}

/** Reads backwards to the last line with a number. `bytes` is the length up to the last line break. */
export function readEnd(descriptor: number, size: number): Numbers & { readonly bytes: number } {
  let bytes: number | undefined;
  let found: Numbers = { n: 0, t: 0 };
  /** What was read of a line whose beginning was not read, in the order of the file. */
  let rest: Buffer[] = [];
  for (let from = size; from > 0 && found.n === 0; ) {
    const to = from;
    from = Math.max(0, from - blockBytes);
    let block = readAt(descriptor, from, to - from);
    if (bytes === undefined) {
      const last = block.lastIndexOf(10);
      if (last < 0) continue;
      bytes = from + last + 1;
      block = block.subarray(0, last + 1);
    }
    const first = from === 0 ? -1 : block.indexOf(10);
    if (from > 0 && first < 0) {
      rest = [block, ...rest];
      continue;
    }
    found = latest(found, findNumbers(Buffer.concat([block.subarray(first + 1), ...rest])));
    rest = [block.subarray(0, first + 1)];
  }
  return { bytes: bytes ?? 0, ...found };
}

/** Returns the highest number and the last time of some lines. The number is 0 if none of them has one. */
function findNumbers(lines: Buffer): Numbers {
  let t = 0;
  for (const line of lines.toString('utf8').split('\n').reverse()) {
    try {
      const value = JSON.parse(line) as { n?: unknown; t?: unknown };
      if (typeof value.t === 'number') t = Math.max(t, value.t);
      if (typeof value.n === 'number') return { n: value.n, t };
    } catch {
      // The line is empty, or invalid.
    }
  }
  return { n: 0, t };
}

export function countLines(descriptor: number, size: number): number {
  let lines = 0;
  for (let from = 0; from < size; from += blockBytes) {
    const block = readAt(descriptor, from, Math.min(blockBytes, size - from));
    for (let at = block.indexOf(10); at >= 0; at = block.indexOf(10, at + 1)) lines += 1;
  }
  return lines;
}

/** If the file ends with the first part of a line that was to be written, removes this part. Others may write to the file, too. */
export function removeBegin(descriptor: number, line: Buffer): void {
  const { size } = fstatSync(descriptor);
  const from = Math.max(0, size - line.length);
  const end = readAt(descriptor, from, size - from);
  const part = end.subarray(end.lastIndexOf(10) + 1);
  if (part.length > 0 && line.subarray(0, part.length).equals(part)) ftruncateSync(descriptor, size - part.length);
}

export function readAt(descriptor: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let read = 0;
  while (read < length) {
    const count = readSync(descriptor, bytes, read, length - read, position + read);
    if (count === 0) break;
    read += count;
  }
  return bytes.subarray(0, read);
}
