import type { DialectContext, SettingsLocation, SettingsLookalike } from '@tenterhook/protocol';
import { settingsLookalikes } from '../shared/lint/misplaced-files.js';
import { folder, locations } from './locations.js';

/** Files that their author may take for settings. */
export function lookalikes(context: DialectContext, systemFile: string): SettingsLookalike[] {
  const [project, user] = locations(context, systemFile) as [SettingsLocation, SettingsLocation, SettingsLocation];
  return settingsLookalikes(context, folder, project, user);
}
