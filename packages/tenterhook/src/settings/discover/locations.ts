import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Diagnostic, Dialect, DialectContext, SettingsLocation, SettingsLookalike } from '@tenterhook/protocol';

const anotherHome = '/home/another';

/**
 * Returns the files where a dialect looks for settings. Without a home directory, files in it are left out: their paths would begin at the
 * root of the disk.
 *
 * A dialect does not report which paths depend on the home directory. So it is called again with another home directory. A path that is the
 * same both times does not depend on it. Two alternatives were rejected:
 * - `home: undefined` in the context would break dialects of other authors, which join it to a path.
 * - Leaving out all paths at the root of the disk would be wrong, because an environment variable may name a folder there.
 */
export function getLocations(dialect: Dialect, context: DialectContext): readonly SettingsLocation[] {
  const locations = dialect.locations(context);
  if (context.home !== '') return locations;
  const elsewhere = dialect.locations({ ...context, home: anotherHome });
  return locations.filter(({ source, file }) => elsewhere.some((other) => other.source === source && other.file === file));
}

/** The maximum number of files that are read in one folder. A repository could otherwise stop the agent with very many of them. */
export const maxFolderFiles = 100;

/**
 * Returns the files of a location, and a diagnostic if not all of them can be read. In an empty folder, the file in which new hooks would be
 * written is returned for the folder.
 */
export function filesAt({ source, file, folder }: SettingsLocation): {
  readonly files: readonly string[];
  readonly problems: Diagnostic[];
} {
  if (folder === undefined) return { files: [file], problems: [] };
  const { names, code } = namesIn(folder);
  const files = names.slice(0, maxFolderFiles).map((name) => join(folder, name));
  const problem =
    code === undefined
      ? {
          message: `The folder has ${names.length} files of settings; only the first ${maxFolderFiles} are read.`,
          remedy: 'Put the hooks into fewer files.',
        }
      : { message: `The folder cannot be read (${code}); its hooks do not run.`, remedy: 'Check the path and its permissions.' };
  const isWhole = code === undefined && names.length <= maxFolderFiles;
  return {
    files: files.length === 0 ? [file] : files,
    problems: isWhole ? [] : [{ code: 'unreadable_file', severity: 'error', ...problem, file: folder, source }],
  };
}

/** Returns the names of settings files in a folder, without hidden ones. A folder that does not exist is empty. */
function namesIn(folder: string): { readonly names: readonly string[]; readonly code?: string } {
  try {
    return {
      names: readdirSync(folder)
        .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
        .sort(),
    };
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? { names: [] } : { names: [], code };
  }
}

function getLookalikes(dialect: Dialect, context: DialectContext): readonly SettingsLookalike[] {
  return (dialect.lookalikes?.(context) ?? []).filter(({ source }) => context.home !== '' || source !== 'user');
}

/** Returns why a path is not a directory, as the end of a sentence. Undefined if it is one. */
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

/** Returns an error if the project is not a directory. Users would otherwise believe that the guards of the project run. */
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

/** Returns a note for users without a home directory. They could otherwise believe that the guard in their user settings runs. */
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
 * Reports files that look like settings but are not read, because their authors expect the hooks to run (field failure 21). The diagnostic
 * is a note if the same source (e.g. the project) has a settings file that is read. Otherwise it is a warning.
 *
 * A file such as `hooks.json` in the project may have been written for any of several dialects. `whose` then finds the dialect by the
 * content.
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
      // If the content does not decide, the diagnostic names no dialect.
      ...(ofFile.length === 1 ? { dialect: dialect.name } : {}),
      source: lookalike.source,
    };
  });
}
