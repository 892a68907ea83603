import type { DialectContext, SettingsLocation, SettingsLookalike } from '@tenterhook/protocol';
import { join, parentOf } from '../paths.js';

/** Names beside `settings.json` that people put hooks under; no spelling in other letters, which may be the same file on a disk. */
const nearMisses = ['hooks.json', 'hooks/hooks.json', 'settings.jsonc', 'settings.json5', 'settings.local.json', 'setting.json'];

/** Names that other programs have too, so that they count only when they speak of hooks. */
const ambiguousNames = ['settings.json', 'hooks.json'];
const headBytes = 65_536;

/**
 * Files that their author may take for the `settings.json` in a folder of the project or of the home directory (field failure 21). Probed by
 * name: a dialect cannot list a folder, and need not. `folder` is relative: `.llxprt`.
 */
export function settingsLookalikes(
  context: DialectContext,
  folder: string,
  project: SettingsLocation,
  user: SettingsLocation,
): SettingsLookalike[] {
  const { projectDir, home, files } = context;
  const speaksOfHooks = (file: string) => files.isFile(file) && files.head(file, headBytes)?.includes('"hooks"') === true;
  const besideSettings = (place: string) => nearMisses.map((name) => join(place, `${folder}/${name}`));
  return [
    ...lookalikesAmong(besideSettings(projectDir), project, files.isFile),
    ...lookalikesAmong(
      ambiguousNames.map((name) => join(projectDir, name)),
      project,
      speaksOfHooks,
    ),
    ...settingsAbove(context, `${folder}/settings.json`, project, user),
    ...(home === projectDir ? [] : lookalikesAmong(besideSettings(home), user, files.isFile)),
  ];
}

/** Those of the files that may be taken for the settings at a location, and are not read. */
export function lookalikesAmong(
  files: readonly string[],
  { source, file: insteadOf }: SettingsLocation,
  isOne: (file: string) => boolean,
): SettingsLookalike[] {
  return files.filter(isOne).map((file) => ({ file, source, insteadOf }));
}

/**
 * Settings of a project that the project directory lies in, where it has none of its own: whoever starts in a subdirectory of a project
 * expects its hooks. Not above the home directory, and not the user's own. `file` is relative to a project's directory.
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
    const remedy = `They are those of the project "${folder}": take that as the project directory, or write the hooks here.`;
    return [{ file: above, source: project.source, insteadOf: project.file, remedy }];
  }
  return [];
}
