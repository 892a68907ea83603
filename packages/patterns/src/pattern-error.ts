/**
 * Why a pattern cannot be used. `message` begins with the invalid part in quotes and has no full stop, because callers write words
 * such as "its matcher " before it. `remedy` is a separate sentence that says what to write.
 */
export type PatternError = { message: string; remedy: string };

/**
 * A compiled pattern. `test` never throws and has no state. Its time is at most proportional to the length of the text times the
 * size of the compiled pattern. This size is limited.
 */
export type Compiled = { ok: true; test: (text: string) => boolean } | { ok: false; error: PatternError };

/** The maximum length in UTF-16 code units. The time of a match grows with the length. Patterns written by hand are far shorter. */
const MAX_PATTERN_CHARACTERS = 10_000;

const MAX_QUOTED_CHARACTERS = 60;

export function refuse(message: string, remedy: string): Compiled {
  return { ok: false, error: { message, remedy } };
}

export function refuseTooLong(pattern: string): Compiled | undefined {
  if (pattern.length <= MAX_PATTERN_CHARACTERS) return undefined;
  return refuse(
    `${quotePiece(pattern)} is ${pattern.length} characters long; the limit is ${MAX_PATTERN_CHARACTERS}`,
    'Split the pattern into several shorter patterns.',
  );
}

/**
 * Returns a part of a pattern in quotes, shortened and without control characters. The pattern is untrusted, and messages reach terminals.
 * JSON.stringify was rejected, because it doubles backslashes.
 */
export function quotePiece(piece: string): string {
  const shown = piece.length > MAX_QUOTED_CHARACTERS ? `${piece.slice(0, MAX_QUOTED_CHARACTERS)}…` : piece;
  return `"${shown.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`;
}
