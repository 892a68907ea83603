import type { Diagnostic, Dialect, DialectContext, SettingsLocation, SettingsLookalike } from '@tenterhook/protocol';

const anotherHome = '/home/another';

/**
 * Where a dialect looks. Without a home directory, locations in it are left out: from an empty path a dialect makes a path at the root of
 * the disk.
 *
 * A dialect does not say which of its locations depend on the home directory, so it is asked again for another one, and what stays the same
 * does not. `home: undefined` in the context would say it plainly, but would break the dialects of others, which join it to a path. The
 * paths alone do not tell: an environment variable may name a folder at the root of the disk.
 */
export function getLocations(dialect: Dialect, context: DialectContext): readonly SettingsLocation[] {
  const locations = dialect.locations(context);
  if (context.home !== '') return locations;
  const elsewhere = dialect.locations({ ...context, home: anotherHome });
  return locations.filter(({ source, file }) => elsewhere.some((other) => other.source === source && other.file === file));
}

function getLookalikes(dialect: Dialect, context: DialectContext): readonly SettingsLookalike[] {
  return (dialect.lookalikes?.(context) ?? []).filter(({ source }) => context.home !== '' || source !== 'user');
}

/** A note, because users whose guard is not read must not believe that it runs. */
export function checkHome(dialects: readonly Dialect[], context: DialectContext): Diagnostic[] {
  if (context.home !== '') return [];
  const without = dialects.filter((dialect) => getLocations(dialect, context).every(({ source }) => source !== 'user'));
  if (without.length === 0) return [];
  const whose = without.length === dialects.length ? '' : ` for ${without.map(({ name }) => name).join(', ')}`;
  const message = `There is no home directory, so user settings are not read${whose}.`;
  return [
    { code: 'no_home', severity: 'note', message, remedy: 'If the user has settings, set HOME to an absolute path.', source: 'user' },
  ];
}

/**
 * A note for each file that looks like settings but is not where settings are read: its author waits for its hooks (field failure 21). A file that several
 * dialects could mean, such as `hooks.json` in the project, is that of the dialect in which it is written. `whose` tells that by the content of the file, and
 * is asked for no other.
 */
export async function findUnreadFiles(
  dialects: readonly Dialect[],
  context: DialectContext,
  whose: (file: string, among: readonly Dialect[]) => Promise<readonly Dialect[]>,
): Promise<Diagnostic[]> {
  const found = dialects.flatMap((dialect) => getLookalikes(dialect, context).map((lookalike) => ({ dialect, lookalike })));
  const owners = new Map<string, readonly Dialect[]>();
  for (const { lookalike } of found) {
    const { file } = lookalike;
    if (owners.has(file)) continue;
    const among = dialects.filter((dialect) => found.some((entry) => entry.dialect === dialect && entry.lookalike.file === file));
    owners.set(file, among.length === 1 ? among : await whose(file, among));
  }
  return found
    .filter(({ dialect, lookalike }) => owners.get(lookalike.file)?.includes(dialect))
    .map(({ dialect, lookalike: { file, source, insteadOf, remedy } }) => ({
      code: 'unread_file',
      severity: 'note',
      message: `This file is not read; the settings of this level are read from ${insteadOf}.`,
      remedy: remedy ?? 'Move the hooks there.',
      file,
      dialect: dialect.name,
      source,
    }));
}
