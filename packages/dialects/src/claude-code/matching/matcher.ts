import { type Compiled, compileRegex } from '@tenterhook/patterns';

/** A matcher as it is tried. `all` fits everything; names are told apart, so that a slip in one can be said. */
export type ClaudeMatcher =
  | { readonly kind: 'all' }
  | { readonly kind: 'names'; readonly names: readonly string[] }
  | { readonly kind: 'regex'; readonly test: (subject: string) => boolean };

export type CompiledMatcher =
  | { readonly ok: true; readonly matcher: ClaudeMatcher }
  | { readonly ok: false; readonly error: { readonly message: string; readonly remedy: string } };

/** Nothing in it says "pattern": the whole name is compared. */
const plain = /^[A-Za-z0-9_\- ,|]+$/;

/**
 * Nothing, `""` and `*` fit everything; names, or lists of them at `|` and `,`, whole names; everything else is searched for as a regular
 * expression. `isList`: names alone, at `|`.
 */
export function compileMatcher(text: string | undefined, isList: boolean): CompiledMatcher {
  if (text === undefined || text === '' || text === '*') return { ok: true, matcher: { kind: 'all' } };
  if (isList || plain.test(text)) return namesOf(text.split(isList ? '|' : /[|,]/));
  const compiled: Compiled = compileRegex(text, { dotMatchesNewline: true });
  return compiled.ok ? { ok: true, matcher: { kind: 'regex', test: compiled.test } } : compiled;
}

export function matches(matcher: ClaudeMatcher, subject: string): boolean {
  switch (matcher.kind) {
    case 'all':
      return true;
    case 'names':
      return matcher.names.includes(subject);
    case 'regex':
      return matcher.test(subject);
  }
}

function namesOf(parts: readonly string[]): CompiledMatcher {
  const names = parts.map((part) => part.trim()).filter((name) => name !== '');
  if (names.length > 0) return { ok: true, matcher: { kind: 'names', names } };
  return { ok: false, error: { message: 'It names nothing', remedy: 'Write a name, or leave the matcher out to fit everything.' } };
}
