import { isPlainObject } from '@tenterhook/runtime/json';
import { reportMisplacedList, reportMisplacedSwitches } from '../shared/lint/misplaced-switches.js';
import type { Reporter } from '../shared/settings/reporter.js';

/** Where people write the switch of hooks that is `tools.enableHooks`. */
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
