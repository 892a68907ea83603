import type { DialectContext, SettingsLookalike } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { findMisplacedFiles } from '../shared/lint/misplaced-files.js';
import { reportMisplacedList, reportMisplacedSwitches } from '../shared/lint/misplaced-switches.js';
import type { Reporter } from '../shared/settings/reporter.js';
import { folder, locations } from './settings/locations.js';

/** Files that a user may mistake for the settings. */
export function misplacedFiles(context: DialectContext, systemFile: string): SettingsLookalike[] {
  const [project, user] = locations(context, systemFile);
  return findMisplacedFiles(context, folder, project, user);
}

/** Reports a switch for hooks in a wrong place. Only `tools.enableHooks` is read. */
export function reportSwitches(settings: Readonly<Record<string, unknown>>, reporter: Reporter): void {
  const elsewhere = [
    ['enableHooks'],
    ...keysOf(settings['tools'], /^enable[_-]?hooks?$/i).flatMap((key) => (key === 'enableHooks' ? [] : [['tools', key]])),
    ...['hooks', 'hooksConfig'].flatMap((section) => ['enabled', 'enableHooks'].map((key) => [section, key])),
  ];
  reportMisplacedSwitches(settings, ['tools', 'enableHooks'], elsewhere, reporter);
  reportMisplacedList(settings, reporter);
}

function keysOf(value: unknown, pattern: RegExp): string[] {
  return isPlainObject(value) ? Object.keys(value).filter((key) => pattern.test(key)) : [];
}
