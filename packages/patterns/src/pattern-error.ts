/**
 * Why a pattern cannot be used. `message` begins with the invalid part of the pattern in quotes and has no full stop, so that a diagnostic
 * can write "its matcher " before it. `remedy` is a separate sentence with what to write instead.
 */
export type PatternError = { message: string; remedy: string };

/**
 * A compiled pattern. `test` never throws and has no state, so the same text always has the same result. Its time is at most proportional
 * to the length of the text times the size of the compiled pattern, which is limited.
 */
export type Compiled = { ok: true; test: (text: string) => boolean } | { ok: false; error: PatternError };

/**
 * The maximum length of a pattern in UTF-16 code units. No pattern written by hand is longer. There is a limit because the time of a match
 * grows with the pattern as well as with the text.
 */
const MAX_PATTERN_CHARACTERS = 10_000;

const MAX_QUOTED_CHARACTERS = 60;

export function refuse(message: string, remedy: string): Compiled {
  return { ok: false, error: { message, remedy } };
}

export function refuseTooLong(pattern: string): Compiled | undefined {
  if (pattern.length <= MAX_PATTERN_CHARACTERS) return undefined;
  return refuse(
    `${quotePiece(pattern)} is ${pattern.length} characters long; the limit is ${MAX_PATTERN_CHARACTERS}`,
    'Split it into several shorter patterns.',
  );
}

/**
 * Returns a part of a pattern in quotes, shortened and without control characters, because the pattern is untrusted text and messages are
 * written to terminals. JSON.stringify was rejected, because it doubles backslashes, and readers should see the pattern as the engine reads
 * it.
 */
export function quotePiece(piece: string): string {
  const shown = piece.length > MAX_QUOTED_CHARACTERS ? `${piece.slice(0, MAX_QUOTED_CHARACTERS)}…` : piece;
  return `"${shown.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`;
}
