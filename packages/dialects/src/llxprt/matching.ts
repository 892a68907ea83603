import { compileRegex, compileWildcard, type PatternError } from '@tenterhook/patterns';

/** A matcher as it was written, and as it is tried. `all` fits everything, so it need not be tried. */
export type Matcher =
  | { readonly kind: 'all' }
  | { readonly kind: 'glob' | 'regex'; readonly text: string; readonly test: (subject: string) => boolean };

export type CompiledMatcher = { readonly ok: true; readonly matcher: Matcher } | { readonly ok: false; readonly error: PatternError };

const maxGlobLength = 10_000;

/**
 * One language, the kind chosen per pattern (decision 1): a glob where only name characters and `*`, `?`, `|` stand, with at
 * least one of `*` and `?`; everything else, plain names included, is searched for as a regular expression. A guard that
 * matches too much is safer than one that silently matches too little. That is also why `.` stands for a newline, as `*` of a glob does
 * (field failure 55).
 */
export function compileMatcher(text: string | undefined): CompiledMatcher {
  if (text === undefined || text === '' || text === '*') return { ok: true, matcher: { kind: 'all' } };
  if (isGlob(text)) {
    if (text.length > maxGlobLength) {
      return {
        ok: false,
        error: { message: `The glob is ${text.length} characters long`, remedy: `Keep it below ${maxGlobLength} characters.` },
      };
    }
    const parts = text.split('|').map((part) => compileWildcard(part));
    return { ok: true, matcher: { kind: 'glob', text, test: (subject) => parts.some((matches) => matches(subject)) } };
  }
  const compiled = compileRegex(text, { dotMatchesNewline: true });
  return compiled.ok ? { ok: true, matcher: { kind: 'regex', text, test: compiled.test } } : compiled;
}

function isGlob(text: string): boolean {
  return /^[A-Za-z0-9_|*?-]+$/.test(text) && /[*?]/.test(text);
}
