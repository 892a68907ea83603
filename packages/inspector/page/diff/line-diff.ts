import { structuredPatch } from 'diff';

/** A line of a diff: removed, added or unchanged, or `@` with the number of the line that follows. */
export interface DiffLine {
  readonly kind: '-' | '+' | ' ' | '@';
  readonly text: string;
}

/** Milliseconds after which a comparison stops, because the page does not answer meanwhile. */
const longestMs = 500;

/** Compares two texts line by line, with three unchanged lines around each change. Undefined if they have too little in common. */
export function diffTextLines(before: string, after: string): readonly DiffLine[] | undefined {
  const patch = structuredPatch('', '', before, after, undefined, undefined, { context: 3, timeout: longestMs });
  return patch?.hunks.flatMap(({ newStart, lines }): DiffLine[] => [
    { kind: '@', text: `line ${newStart}` },
    // A line that begins with a backslash means that the text has no line break at its end.
    ...lines.map(
      (line): DiffLine => (line.startsWith('\\') ? { kind: '@', text: line.slice(2) } : { kind: line[0] as '-', text: line.slice(1) }),
    ),
  ]);
}
