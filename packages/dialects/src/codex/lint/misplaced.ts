import type { DialectContext, SettingsLocation, SettingsLookalike } from '@tenterhook/protocol';
import { inHooksFolder, lookalikesAmong, settingsAbove } from '../../shared/lint/misplaced-files.js';
import { join } from '../../shared/paths.js';
import { configFile, folder, hooksFile, locations, userFolder } from '../settings/locations.js';

/** Names of files into which people put hooks by mistake. The right file is `hooks.json`. */
const nearMisses = ['settings.json', 'hooks.jsonc', 'hook.json', 'hooks.toml', 'config.json', ...inHooksFolder];
const headBytes = 65_536;

/** Returns the files that look like Codex's settings but are not read. */
export function misplacedFiles(context: DialectContext, managedFile: string | undefined): SettingsLookalike[] {
  const [project, , user] = locations(context, managedFile) as [SettingsLocation, SettingsLocation, SettingsLocation];
  const { projectDir, home, files } = context;
  const hasHooks = (file: string) => files.isFile(file) && /"hooks"\s*:|\[hooks\b|\[\[hooks\./.test(files.head(file, headBytes) ?? '');
  const beside = (place: string) => nearMisses.map((name) => join(place, name));
  const above = files.isFile(join(projectDir, `${folder}/${configFile}`))
    ? []
    : settingsAbove(context, `${folder}/${hooksFile}`, project, user);
  return [
    ...lookalikesAmong(beside(join(projectDir, folder)), project, hasHooks),
    ...above,
    ...(home === '' || home === projectDir ? [] : lookalikesAmong(beside(userFolder(context)), user, hasHooks)),
  ];
}
