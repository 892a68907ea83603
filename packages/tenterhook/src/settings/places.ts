import type { Diagnostic, Dialect, DialectContext, SettingsLocation, SettingsLookalike } from '@tenterhook/protocol';
import { lookalikesSafely } from './contained-dialect.js';

/** Where a dialect looks. Without a home directory the user has no level: what a dialect would make of an empty path is the disk's root. */
export function locationsOf(dialect: Dialect, context: DialectContext): readonly SettingsLocation[] {
  return dialect.locations(context).filter((location) => isThere(location, context));
}

export function lookalikesOf(dialect: Dialect, context: DialectContext): readonly SettingsLookalike[] {
  return lookalikesSafely(dialect, context).filter((lookalike) => isThere(lookalike, context));
}

/** Said, because a user whose guard is not read must not believe that it runs. */
export function missingHome({ home }: DialectContext): Diagnostic[] {
  if (home !== '') return [];
  const message = 'There is no home directory, so no settings of the user are read.';
  return [{ code: 'no_home', severity: 'note', message, remedy: 'Set HOME to an absolute path if the user has any.', source: 'user' }];
}

function isThere({ source }: { readonly source: string }, { home }: DialectContext): boolean {
  return home !== '' || source !== 'user';
}
