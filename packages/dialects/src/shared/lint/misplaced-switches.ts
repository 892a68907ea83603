import { isPlainObject } from '@tenterhook/runtime/json';
import type { Reporter } from '../settings/reporter.js';
import { formatValue } from '../text.js';

type Path = readonly string[];

/** Whether a key under "hooks" is no event but a switch: other products, and other versions, have theirs there (field failure 27). */
export function isSwitchUnderHooks(key: string, value: unknown): boolean {
  return key === 'disabled' ? Array.isArray(value) : ['enabled', 'enableHooks'].includes(key) && typeof value === 'boolean';
}

/**
 * A switch that is not where it is read switches nothing; without a word about it, the user would search for days. `counted` is the switch of
 * the format, `elsewhere` where people write it, `usual` what counts where it is not set. @default nobody knows: it depends on other files
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
    // Where it says what is so already, there is nothing to be wrong about.
    if (typeof value !== 'boolean' || value === set) continue;
    const instead = counted.reduceRight((inner, key) => `{ "${key}": ${inner} }`, String(value));
    report(path, instead, reporter);
  }
}

/** The same of the list of disabled hooks. */
export function reportMisplacedList(settings: Readonly<Record<string, unknown>>, reporter: Reporter): void {
  const disabled = valueAt(settings, ['hooks', 'disabled']);
  if (Array.isArray(disabled) && disabled.length > 0) {
    report(['hooks', 'disabled'], `{ "hooksConfig": { "disabled": ${formatValue(disabled).replaceAll('","', '", "')} } }`, reporter);
  }
}

function report(path: Path, instead: string, reporter: Reporter): void {
  const message = `"${path.join('.')}" is not read and switches nothing.`;
  reporter.report('misplaced_switch', 'warning', path, message, { remedy: `Write ${instead}.` });
}

function valueAt(settings: unknown, path: Path): unknown {
  return path.reduce<unknown>((at, key) => (isPlainObject(at) && Object.hasOwn(at, key) ? at[key] : undefined), settings);
}
