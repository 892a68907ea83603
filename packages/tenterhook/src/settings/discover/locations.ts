import { statSync } from 'node:fs';
import type { Diagnostic, Dialect, DialectContext, SettingsLocation, SettingsLookalike } from '@tenterhook/protocol';

const anotherHome = '/home/another';

/**
 * Returns the places where a dialect looks for settings. If there is no home directory, places in it are left out, because with an empty
 * home directory they would be paths at the root of the disk.
 *
 * A dialect does not report which places depend on the home directory. So it is called a second time with a different home directory, and a
 * place that is the same both times does not depend on it. Two alternatives were rejected. `home: undefined` in the context would break
 * dialects of other authors, which join it to a path. And leaving out all paths at the root of the disk would be wrong, because an
 * environment variable may name such a folder.
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

/** Why a path is not a directory, as the end of a sentence. Undefined if it is one. */
export function findDirectoryProblem(path: string): string | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return 'does not exist';
    return stats.isDirectory() ? undefined : 'is not a directory';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOTDIR' ? 'does not exist' : `cannot be accessed (${code})`;
  }
}

/** An error if the project is not a directory. Otherwise its author believes that the guards of the project run. */
export function checkProject(projectDir: string): Diagnostic[] {
  const problem = findDirectoryProblem(projectDir);
  if (problem === undefined) return [];
  return [
    {
      code: 'no_project',
      severity: 'error',
      message: `The project directory ${projectDir} ${problem}; hooks of the project do not run.`,
      remedy: 'Pass the directory of the project as projectDir.',
      source: 'project',
    },
  ];
}

/** A note for users without a home directory. Otherwise they could believe that the guard in their user settings runs. */
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
 * Reports each file that looks like settings but is not read. Its author expects its hooks to run (field failure 21), so it is a warning if
 * the level has no settings file, and a note if it has one. If several dialects could read a file of that name, such as `hooks.json` in the
 * project, it belongs to the dialect in which it is written. `whose` finds this dialect by the content; it is called only for such files.
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
  const unread = found.filter(({ dialect, lookalike }) => owners.get(lookalike.file)?.includes(dialect));
  return [...new Set(unread.map(({ lookalike }) => lookalike.file))].map((file) => {
    const ofFile = unread.filter(({ lookalike }) => lookalike.file === file);
    const places = [...new Set(ofFile.map(({ lookalike }) => lookalike.insteadOf))];
    const [{ dialect, lookalike }] = ofFile as [(typeof ofFile)[number]];
    const isReplaced = places.some((place) => context.files.isFile(place));
    return {
      code: 'unread_file',
      severity: isReplaced ? 'note' : 'warning',
      message: `This file is not read; the settings of this level are read from ${places.join(' or ')}.`,
      remedy: lookalike.remedy ?? 'Move the hooks there.',
      file,
      // If the content does not decide, the file belongs to none of them.
      ...(ofFile.length === 1 ? { dialect: dialect.name } : {}),
      source: lookalike.source,
    };
  });
}
