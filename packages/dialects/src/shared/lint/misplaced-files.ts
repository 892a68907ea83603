import type { DialectContext, SettingsLocation, SettingsLookalike } from '@tenterhook/protocol';
import { join } from '../paths.js';
import { lookalikesAmong } from '../settings/lookalikes-among.js';
import { settingsAbove } from '../settings/settings-above.js';

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
