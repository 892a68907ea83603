import { structuredPatch } from 'diff';

/** A line of a diff: removed, added or unchanged, or the place of the lines that follow. */
export interface DiffLine {
  readonly kind: '-' | '+' | ' ' | '@';
  readonly text: string;
}

/** The time after which a comparison is given up, in milliseconds. Texts that have nothing in common take long. */
const longestMs = 2_000;

/** Compares two texts line by line, with three unchanged lines around each change. Undefined if that takes too long. */
export function diffTexts(before: string, now: string): DiffLine[] | undefined {
  const patch = structuredPatch('', '', before, now, undefined, undefined, { context: 3, timeout: longestMs });
  return patch?.hunks.flatMap(({ newStart, lines }): DiffLine[] => [
    { kind: '@', text: `line ${newStart}` },
    ...lines.map(
      (line): DiffLine => (line.startsWith('\\') ? { kind: '@', text: line.slice(2) } : { kind: line[0] as '-', text: line.slice(1) }),
    ),
  ]);
}
