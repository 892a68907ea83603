import type { DialectContext, SettingsLocation, SettingsLookalike } from '@tenterhook/protocol';
import { lookalikesAmong, settingsAbove } from '../../shared/lint/misplaced-files.js';
import { join } from '../../shared/paths.js';
import { locations, projectFile, userFolder } from '../settings/locations.js';

/** Names beside `settings.json` that people put hooks under. */
const nearMisses = ['hooks.json', 'hooks/hooks.json', 'config.json', 'settings.jsonc', 'setting.json', 'settings.local.jsonc'];
/** The user's own settings of all projects in former versions. */
const formerFile = '.claude.json';
const headBytes = 262_144;

/** Files that their author may take for Claude Code's settings (field failure 21). */
export function lookalikes(context: DialectContext, managedFile: string | undefined): SettingsLookalike[] {
  const [project, , user] = locations(context, managedFile) as [SettingsLocation, SettingsLocation, SettingsLocation];
  const { projectDir, home, files } = context;
  const speaksOfHooks = (file: string) => files.isFile(file) && /"hooks"\s*:\s*\{\s*"/.test(files.head(file, headBytes) ?? '');
  return [
    ...lookalikesAmong(
      nearMisses.map((name) => join(projectDir, `.claude/${name}`)),
      project,
      speaksOfHooks,
    ),
    ...settingsAbove(context, projectFile, project, user),
    ...(home === '' || home === projectDir
      ? []
      : lookalikesAmong([...nearMisses.map((name) => join(userFolder(context), name)), join(home, formerFile)], user, speaksOfHooks)),
  ];
}
