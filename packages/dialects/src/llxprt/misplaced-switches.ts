import { isPlainObject } from '@tenterhook/protocol';
import type { Reporter } from '../settings/reporter.js';
import { shown } from '../shown.js';

/** Whether a key under "hooks" is no event but a switch: other products, and other versions, have theirs there (field failure 27). */
export function isSwitchUnderHooks(key: string, value: unknown): boolean {
  return key === 'disabled' ? Array.isArray(value) : ['enabled', 'enableHooks'].includes(key) && typeof value === 'boolean';
}

/** A switch that is not where it is read switches nothing; without a word about it, the user would search for days. */
export function reportMisplacedSwitches(settings: Record<string, unknown>, reporter: Reporter): void {
  const { tools, hooks } = settings;
  const enabled = fieldOf(tools, 'enableHooks');
  const elsewhere: [path: readonly string[], value: unknown][] = [
    [['enableHooks'], settings['enableHooks']],
    ...keysOf(tools, /^enable[_-]?hooks?$/i).flatMap((key): [string[], unknown][] =>
      key === 'enableHooks' ? [] : [[['tools', key], (tools as Record<string, unknown>)[key]]],
    ),
    ...['hooks', 'hooksConfig'].flatMap((section) =>
      ['enabled', 'enableHooks'].map((key): [string[], unknown] => [[section, key], fieldOf(settings[section], key)]),
    ),
  ];
  for (const [path, value] of elsewhere) {
    // Where it says the same as the switch that counts, there is nothing to be wrong about.
    if (typeof value !== 'boolean' || value === enabled) continue;
    report(path, `{ "tools": { "enableHooks": ${value} } }`, reporter);
  }
  const disabled = fieldOf(hooks, 'disabled');
  if (Array.isArray(disabled)) {
    report(['hooks', 'disabled'], `{ "hooksConfig": { "disabled": ${shown(disabled).replaceAll('","', '", "')} } }`, reporter);
  }
}

function report(path: readonly string[], instead: string, reporter: Reporter): void {
  const message = `"${path.join('.')}" is not read and switches nothing.`;
  reporter.report('misplaced_switch', 'warning', path, message, { remedy: `Write ${instead}.` });
}

function keysOf(value: unknown, pattern: RegExp): string[] {
  return isPlainObject(value) ? Object.keys(value).filter((key) => pattern.test(key)) : [];
}

function fieldOf(value: unknown, key: string): unknown {
  return isPlainObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
