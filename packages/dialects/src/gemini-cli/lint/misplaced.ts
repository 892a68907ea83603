import type { DialectContext, SettingsLocation, SettingsLookalike } from '@tenterhook/protocol';
import { settingsLookalikes } from '../../shared/settings/settings-lookalikes.js';
import { folder, homeOf, locations } from '../settings/locations.js';

/** Files that their author may take for settings. */
export function lookalikes(context: DialectContext, systemFile?: string): SettingsLookalike[] {
  const [project, user] = locations(context, systemFile) as [SettingsLocation, SettingsLocation, SettingsLocation];
  return settingsLookalikes({ ...context, home: homeOf(context) }, folder, project, user);
}
