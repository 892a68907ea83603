import type { DialectContext, SettingsLocation, SettingsLookalike } from '@tenterhook/protocol';
import { join } from '../settings/file-paths.js';
import { settingsAbove } from '../settings/settings-above.js';
import { locations, settingsFile } from './locations.js';

/** Names beside `settings.json` that people put hooks under; no spelling in other letters, which may be the same file on a disk. */
const nearMisses = ['hooks.json', 'hooks/hooks.json', 'settings.jsonc', 'settings.json5', 'settings.local.json', 'setting.json'];

/** Names that other programs have too, so that they count only when they speak of hooks. */
const ambiguousNames = ['settings.json', 'hooks.json'];
const headBytes = 65_536;

/** Files that their author may take for settings (field failure 21). Probed by name: a dialect cannot list a folder, and need not. */
export function lookalikes(context: DialectContext, systemFile: string): SettingsLookalike[] {
  const [project, user] = locations(context, systemFile) as [SettingsLocation, SettingsLocation, SettingsLocation];
  const { projectDir, home, files } = context;
  const speaksOfHooks = (file: string) => files.isFile(file) && files.head(file, headBytes)?.includes('"hooks"') === true;
  const insteadOf = ({ source, file: read }: SettingsLocation, file: string) => ({ file, source, insteadOf: read });
  return [
    ...besideSettings(projectDir)
      .filter(files.isFile)
      .map((file) => insteadOf(project, file)),
    ...ambiguousNames
      .map((name) => join(projectDir, name))
      .filter(speaksOfHooks)
      .map((file) => insteadOf(project, file)),
    ...settingsAbove(context, settingsFile, project, user),
    ...(home === projectDir ? [] : besideSettings(home)).filter(files.isFile).map((file) => insteadOf(user, file)),
  ];
}

function besideSettings(folder: string): string[] {
  return nearMisses.map((name) => join(folder, `.llxprt/${name}`));
}
