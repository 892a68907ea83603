import { valueAt } from '@tenterhook/runtime/json';
import type { Reporter } from '../settings/reporter.js';
import { formatValue } from '../text.js';

type Path = readonly string[];

/**
 * Tests whether a key under "hooks" is a switch for all hooks. Other products and versions have switches there (field failure 27).
 */
export function isSwitchUnderHooks(key: string, value: unknown): boolean {
  return key === 'disabled' ? Array.isArray(value) : ['enabled', 'enableHooks'].includes(key) && typeof value === 'boolean';
}

/**
 * Reports switches in places where they have no effect. `counted` is the path of the switch in this format, and `elsewhere` are the
 * wrong paths. `usual` is the value that applies without a switch. Callers leave `usual` out if other files can set the switch.
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
    // A switch with this value would change nothing, so it is not reported.
    if (typeof value !== 'boolean' || value === set) continue;
    const instead = counted.reduceRight((inner, key) => `{ "${key}": ${inner} }`, String(value));
    report(path, instead, reporter);
  }
}

/** Reports a list of disabled hooks in a place where it has no effect. */
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
