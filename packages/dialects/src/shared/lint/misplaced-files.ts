import type { DialectContext, SettingsLocation, SettingsLookalike } from '@tenterhook/protocol';
import { join, parentOf } from '../paths.js';

/** Names of files next to `settings.json` in which users put hooks. Not in another letter case: on some disks that is the same file. */
const nearMisses = ['hooks.json', 'hooks/hooks.json', 'settings.jsonc', 'settings.json5', 'settings.local.json', 'setting.json'];

/** Names that other programs use too. Such a file counts only if it contains hooks. */
export const ambiguousNames = ['settings.json', 'hooks.json'];
const headBytes = 65_536;

/**
 * Files that a user may take for the `settings.json` in a folder of the project or of the home directory (field failure 21). They are probed by
 * name, because a dialect cannot list a folder. `folder` is relative: `.llxprt`.
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

/** The files that exist and may be taken for the settings at a location. */
export function lookalikesAmong(
  files: readonly string[],
  { source, file: insteadOf }: SettingsLocation,
  isCandidate: (file: string) => boolean,
): SettingsLookalike[] {
  return files.filter(isCandidate).map((file) => ({ file, source, insteadOf }));
}

/**
 * Settings of an outer project, if the project directory has none: a user who starts the agent in a subdirectory expects the hooks of the project.
 * The search ends at the home directory, and excludes the user's own settings. `file` is relative to a project's directory.
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
    const remedy = `They are those of the project "${folder}": use that as the project directory, or write the hooks here.`;
    return [{ file: above, source: project.source, insteadOf: project.file, remedy }];
  }
  return [];
}
