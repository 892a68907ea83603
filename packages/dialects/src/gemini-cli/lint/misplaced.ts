import type { DialectContext, SettingsDocument, SettingsLocation, SettingsLookalike } from '@tenterhook/protocol';
import { findMisplacedFiles } from '../../shared/lint/misplaced-files.js';
import { reportMisplacedList, reportMisplacedSwitches } from '../../shared/lint/misplaced-switches.js';
import { isOfExtension } from '../../shared/settings/extension-paths.js';
import type { Reporter } from '../../shared/settings/reporter.js';
import { folder, getHome, locations } from '../settings/locations.js';

/** Returns the files that a user may mistake for the settings. Gemini CLI does not read them. */
export function misplacedFiles(context: DialectContext, systemFile?: string): SettingsLookalike[] {
  const [project, user] = locations(context, systemFile) as [SettingsLocation, SettingsLocation, SettingsLocation];
  return findMisplacedFiles({ ...context, home: getHome(context) }, folder, project, user);
}

/** Reports switches in places where they are not read. */
export function reportSwitchesElsewhere(settings: Readonly<Record<string, unknown>>, document: SettingsDocument, reporter: Reporter): void {
  if (isOfExtension(document)) {
    if (settings['hooksConfig'] === undefined) return;
    const message = '"hooksConfig" of an extension is ignored.';
    const remedy = 'Write "hooksConfig" into the user or project settings.';
    reporter.report('misplaced_switch', 'warning', ['hooksConfig'], message, { remedy });
    return;
  }
  // Users and older versions of Gemini CLI write the switch `hooksConfig.enabled` in these places. A value of true is not reported,
  // because it changes nothing.
  const elsewhere = [
    ['enableHooks'],
    ['tools', 'enableHooks'],
    ['hooksConfig', 'enableHooks'],
    ['hooks', 'enabled'],
    ['hooks', 'enableHooks'],
  ];
  reportMisplacedSwitches(settings, ['hooksConfig', 'enabled'], elsewhere, reporter, true);
  reportMisplacedSwitches(settings, ['hooksConfig', 'notifications'], [['hooks', 'notifications']], reporter, true);
  reportMisplacedList(settings, reporter);
}
