import { structuredPatch } from 'diff';

/** A line of a diff: removed, added or unchanged, or the line number of the lines that follow. */
export interface DiffLine {
  readonly kind: '-' | '+' | ' ' | '@';
  readonly text: string;
}

/** The lines of a diff, or a sentence with the reason why there is none. */
export type TextDiff = { readonly lines: readonly DiffLine[] } | { readonly problem: string };

/** Milliseconds after which a comparison stops. Texts that have nothing in common take long. */
const longestMs = 2_000;

/**
 * Compares two versions of a file line by line, with three unchanged lines around each change. A version is undefined if it was not kept.
 */
export function diffContents(before: Uint8Array | undefined, now: Uint8Array | undefined): TextDiff {
  if (before === undefined)
    return { problem: 'The earlier content of the file was not kept, so there is no diff. Files of more than 256 KiB are not kept.' };
  if (now === undefined) return { problem: 'The file has more than 256 KiB, so there is no diff.' };
  if (before.includes(0) || now.includes(0)) return { problem: 'The file is not a text, so there is no diff.' };
  const [one, other] = [before, now].map((bytes) => Buffer.from(bytes).toString('utf8')) as [string, string];
  const patch = structuredPatch('', '', one, other, undefined, undefined, { context: 3, timeout: longestMs });
  if (patch === undefined) return { problem: 'The two texts have too little in common for a diff. View the file.' };
  const lines = patch.hunks.flatMap(({ newStart, lines: changed }): DiffLine[] => [
    { kind: '@', text: `line ${newStart}` },
    // In a diff, a line that begins with a backslash means that the file has no line break at its end.
    ...changed.map(
      (line): DiffLine => (line.startsWith('\\') ? { kind: '@', text: line.slice(2) } : { kind: line[0] as '-', text: line.slice(1) }),
    ),
  ]);
  return { lines };
}
