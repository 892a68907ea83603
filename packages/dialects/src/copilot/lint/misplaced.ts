import type { DialectContext, SettingsLocation, SettingsLookalike } from '@tenterhook/protocol';
import { lookalikesAmong, settingsAbove } from '../../shared/lint/misplaced-files.js';
import { join } from '../../shared/paths.js';
import { locations, newFile, projectFolder, userFolder } from '../settings/locations.js';

/** Names of files of a project and of the user into which people put hooks by mistake. */
const inProject = [
  '.github/hooks.json',
  '.github/copilot/hooks.json',
  '.copilot/hooks.json',
  '.copilot/settings.json',
  'copilot-hooks.json',
];
const ofUser = ['hooks.json', 'config.json'];
const headBytes = 65_536;

/** Returns the files that look like Copilot's settings but are not read. */
export function misplacedFiles(context: DialectContext, managedFolder: string | undefined): SettingsLookalike[] {
  const all = locations(context, managedFolder);
  const at = (source: string) => all.find((location) => location.source === source) as SettingsLocation;
  const { projectDir, home, files } = context;
  const hasHooks = (file: string) => files.isFile(file) && /"hooks"\s*:\s*\{/.test(files.head(file, headBytes) ?? '');
  const inside = (folder: string, names: readonly string[]) => names.map((name) => join(folder, name));
  return [
    ...(home === projectDir ? [] : lookalikesAmong(inside(projectDir, inProject), at('project'), hasHooks)),
    ...settingsAbove(context, `${projectFolder}/${newFile}`, at('project'), at('user')),
    ...(home === '' ? [] : lookalikesAmong(inside(userFolder(context), ofUser), at('user'), hasHooks)),
  ];
}
