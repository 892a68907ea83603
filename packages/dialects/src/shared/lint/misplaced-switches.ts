import { valueAt } from '@tenterhook/runtime/json';
import type { Reporter } from '../settings/reporter.js';
import { formatValue } from '../text.js';

type Path = readonly string[];

/** Whether a key under "hooks" is a switch, not an event: other products and versions have their switches there (field failure 27). */
export function isSwitchUnderHooks(key: string, value: unknown): boolean {
  return key === 'disabled' ? Array.isArray(value) : ['enabled', 'enableHooks'].includes(key) && typeof value === 'boolean';
}

/**
 * Reports switches in places where they have no effect. `counted` is the path of the switch in this format, `elsewhere` are the paths where users
 * write it. `usual` is its value where it is not set; leave it out if that depends on other files.
 */
export function reportMisplacedSwitches(
  settings: Readonly<Record<string, unknown>>,
  counted: Path,
  elsewhere: readonly Path[],
  reporter: Reporter,
  usual?: boolean,
): void {
  const set = valueAt(settings, counted) ?? usual;
  for (const path of elsewhere) {
    const value = valueAt(settings, path);
    // A switch with the value that is in effect anyway misleads no user.
    if (typeof value !== 'boolean' || value === set) continue;
    const instead = counted.reduceRight((inner, key) => `{ "${key}": ${inner} }`, String(value));
    report(path, instead, reporter);
  }
}

/** The same for the list of disabled hooks. */
export function reportMisplacedList(settings: Readonly<Record<string, unknown>>, reporter: Reporter): void {
  const disabled = valueAt(settings, ['hooks', 'disabled']);
  if (Array.isArray(disabled) && disabled.length > 0) {
    report(['hooks', 'disabled'], `{ "hooksConfig": { "disabled": ${formatValue(disabled).replaceAll('","', '", "')} } }`, reporter);
  }
}

function report(path: Path, instead: string, reporter: Reporter): void {
  const message = `"${path.join('.')}" is ignored.`;
  reporter.report('misplaced_switch', 'warning', path, message, { remedy: `Write ${instead}.` });
}
