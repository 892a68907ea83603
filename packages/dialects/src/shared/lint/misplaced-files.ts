import type { DialectContext, SettingsLocation, SettingsLookalike } from '@tenterhook/protocol';
import { join, parentOf } from '../paths.js';

/**
 * Names of files in the folder `hooks` next to the settings. Users keep their scripts there, and expect that settings in it are
 * read.
 */
export const inHooksFolder = ['hooks/hooks.json', 'hooks/settings.json', 'hooks/settings.local.json', 'hooks/config.json'];

/**
 * Names of files into which users put hooks that belong in `settings.json`. Names in another case, e.g. `Settings.json`, are left
 * out: on some disks they are the same file.
 */
const nearMisses = ['hooks.json', 'settings.jsonc', 'settings.json5', 'settings.local.json', 'setting.json', ...inHooksFolder];

/** Names that other programs use too. A file with such a name is reported only if it contains hooks. */
export const ambiguousNames = ['settings.json', 'hooks.json'];
const headBytes = 65_536;

/**
 * Finds files that a user may mistake for the `settings.json` of a project or of the home directory (field failure 21). A dialect
 * cannot list the files in a folder, so each name is tested. `folder` is relative, e.g. `.llxprt`.
 */
export function findMisplacedFiles(
  context: DialectContext,
  folder: string,
  project: SettingsLocation,
  user: SettingsLocation,
): SettingsLookalike[] {
  const { projectDir, home, files } = context;
  const hasHooks = (file: string) => files.isFile(file) && files.head(file, headBytes)?.includes('"hooks"') === true;
  const besideSettings = (place: string) => nearMisses.map((name) => join(place, `${folder}/${name}`));
  return [
    ...lookalikesAmong(besideSettings(projectDir), project, files.isFile),
    ...lookalikesAmong(
      ambiguousNames.map((name) => join(projectDir, name)),
      project,
      hasHooks,
    ),
    ...settingsAbove(context, `${folder}/settings.json`, project, user),
    ...(home === projectDir ? [] : lookalikesAmong(besideSettings(home), user, files.isFile)),
  ];
}

/** Returns the files that exist and that users may mistake for the settings at a location. */
export function lookalikesAmong(
  files: readonly string[],
  { source, file: insteadOf }: SettingsLocation,
  isCandidate: (file: string) => boolean,
): SettingsLookalike[] {
  return files.filter(isCandidate).map((file) => ({ file, source, insteadOf }));
}

/**
 * Finds settings in a folder above the project, if the project has none. A user who starts the agent in a subdirectory expects the
 * hooks of the whole project. The search ends at the home directory and never returns the user's own settings. `file` is relative
 * to a project.
 */
export function settingsAbove(
  { projectDir, home, files }: DialectContext,
  file: string,
  project: SettingsLocation,
  user: SettingsLocation,
): SettingsLookalike[] {
  if (files.isFile(project.file)) return [];
  for (let folder: string | undefined = projectDir; folder !== undefined && folder !== home; folder = parentOf(folder)) {
    const above = join(folder, file);
    if (above === user.file || !files.isFile(above)) continue;
    const remedy = `The file belongs to the project "${folder}". Pass that folder as the project directory (--cwd at the command line, projectDir in the agent), or write the hooks into the file of this project.`;
    return [{ file: above, source: project.source, insteadOf: project.file, remedy }];
  }
  return [];
}
