import type { StyledSpan } from './styled-spans.js';

/** Lines of one block. A browser lays out a block only when it is in view. */
const linesOfChunk = 100;

/** Divides the spans of a text into blocks of whole lines. The line break between two blocks is left out, because a block ends a line. */
export function chunkLines(spans: readonly StyledSpan[]): StyledSpan[][] {
  const chunks: StyledSpan[][] = [[]];
  let lines = 0;
  for (const { text, classes } of spans) {
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) {
      lines += 1;
      if (lines < linesOfChunk) continue;
      chunks.at(-1)?.push({ text: text.slice(from, end), classes });
      chunks.push([]);
      from = end + 1;
      lines = 0;
    }
    if (from < text.length) chunks.at(-1)?.push({ text: text.slice(from), classes });
  }
  return chunks;
}
