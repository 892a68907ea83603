import type { DialectContext, SettingsLocation, SettingsLookalike } from '@tenterhook/protocol';
import { lookalikesAmong, settingsAbove } from '../../shared/lint/misplaced-files.js';
import { join } from '../../shared/paths.js';
import { locations, projectFile } from '../settings/locations.js';

/** Files of a project and of the user in which people look for Antigravity's hooks. Its command line reads none of them. */
const inProject = [
  '.agent/hooks.json',
  '_agents/hooks.json',
  '_agent/hooks.json',
  '.antigravitycli/hooks.json',
  '.agents/hooks/hooks.json',
  '.agents/settings.json',
];
const ofUser = [
  '.gemini/antigravity-cli/hooks.json',
  '.gemini/antigravity/hooks.json',
  '.gemini/config/hooks/hooks.json',
  '.agents/hooks.json',
];
const headBytes = 65_536;

/** Returns the files that look like Antigravity's settings but are not read. */
export function misplacedFiles(context: DialectContext): SettingsLookalike[] {
  const [user, project] = locations(context) as [SettingsLocation, SettingsLocation];
  const { projectDir, home, files } = context;
  const hasHooks = (file: string) =>
    files.isFile(file) && /"(?:P(?:re|ost)(?:ToolUse|Invocation)|Stop)"\s*:/.test(files.head(file, headBytes) ?? '');
  const inside = (folder: string, names: readonly string[]) => names.map((name) => join(folder, name));
  return [
    ...lookalikesAmong(inside(projectDir, inProject), project, hasHooks),
    ...settingsAbove(context, projectFile, project, user),
    ...(home === '' || home === projectDir ? [] : lookalikesAmong(inside(home, ofUser), user, hasHooks)),
  ];
}
