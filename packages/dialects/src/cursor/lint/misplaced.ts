import type { DialectContext, SettingsLocation, SettingsLookalike } from '@tenterhook/protocol';
import { inHooksFolder, lookalikesAmong, settingsAbove } from '../../shared/lint/misplaced-files.js';
import { join } from '../../shared/paths.js';
import { folder, hooksFile, locations } from '../settings/locations.js';

/** Names of files into which people put hooks by mistake. The right file is `hooks.json`. */
const nearMisses = ['settings.json', 'hooks.jsonc', 'hook.json', 'cli.json', ...inHooksFolder];
const headBytes = 65_536;

/** Returns the files that look like Cursor's settings but are not read. */
export function misplacedFiles(context: DialectContext, managedFile: string | undefined): SettingsLookalike[] {
  const [, project, user] = locations(context, managedFile) as [SettingsLocation, SettingsLocation, SettingsLocation];
  const { projectDir, home, files } = context;
  const hasHooks = (file: string) => files.isFile(file) && /"hooks"\s*:\s*\{/.test(files.head(file, headBytes) ?? '');
  const beside = (place: string) => nearMisses.map((name) => join(place, `${folder}/${name}`));
  return [
    ...lookalikesAmong(beside(projectDir), project, hasHooks),
    ...settingsAbove(context, hooksFile, project, user),
    ...(home === '' || home === projectDir ? [] : lookalikesAmong(beside(home), user, hasHooks)),
  ];
}
