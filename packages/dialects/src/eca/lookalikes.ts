import type { DialectContext, SettingsLookalike } from '@tenterhook/protocol';
import { lookalikesAmong, settingsAbove } from '../shared/lint/misplaced-files.js';
import { join, parentOf } from '../shared/paths.js';
import { configFolder, locations, workspaceFile } from './locations.js';

/** Names beside `config.json` that people put hooks under. */
const nearMisses = ['hooks.json', 'hooks/hooks.json', 'settings.json', 'config.jsonc', 'config.local.json'];

/** Files that their author may take for ECA's settings (field failure 21). */
export function lookalikes(context: DialectContext): SettingsLookalike[] {
  const [project, user] = locations(context);
  const { home, files, projectDir } = context;
  const ofProject = nearMisses.map((name) => join(projectDir, `.eca/${name}`));
  const ofUser = [
    ...nearMisses.map((name) => join(parentOf(user.file) as string, name)),
    // The place of a project, and the one that counts where XDG_CONFIG_HOME is not set.
    ...(home === '' || home === projectDir ? [] : [join(home, workspaceFile)]),
    ...(home === '' || configFolder(context) === join(home, '.config') ? [] : [join(home, '.config/eca/config.json')]),
  ];
  return [
    ...lookalikesAmong(ofProject, project, files.isFile),
    ...settingsAbove(context, workspaceFile, project, user),
    ...lookalikesAmong(ofUser, user, files.isFile),
  ];
}
