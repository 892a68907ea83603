import { BoundedOutput } from './bounded-output.js';

/** The most bytes of a line that is passed on. */
const longestLine = 65_536;

/**
 * Up to this length a line is passed on as it grows: a program that says something in its first line says it in a few words, and decoding each
 * piece of a long line takes time.
 */
const longestPiece = 1024;

const lineFeed = 10;

/**
 * Passes on the first line of an output as it comes, until it is complete. Independent of what is kept of the output, which may be less. The
 * returned function takes the output: the first so many bytes of a chunk that may be used again afterwards.
 */
export function watchFirstLine(onLine: (text: string, isComplete: boolean) => void): (chunk: Buffer, chunkBytes: number) => void {
  const line = new BoundedOutput(longestLine);
  let isOver = false;
  return (chunk, chunkBytes) => {
    if (isOver) return;
    const end = chunk.subarray(0, chunkBytes).indexOf(lineFeed);
    const isComplete = end >= 0;
    line.add(chunk, isComplete ? end : chunkBytes);
    isOver = isComplete || line.isFull;
    if (line.isFull || (!isComplete && line.bytes > longestPiece)) return;
    onLine(line.read(longestLine).text, isComplete);
  };
}
