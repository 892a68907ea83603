import { type HookEventName, nearestName } from '@tenterhook/protocol';
import type { Reporter } from './reporter.js';

/** A misspelled key is the quietest way to lose a setting, so a near miss is said; unknown keys as such pass. `of`: `a hook`, `an action`. */
export function reportMisspelledKeys(
  value: Record<string, unknown>,
  known: readonly string[],
  path: readonly (string | number)[],
  of: string,
  reporter: Reporter,
  eventName?: HookEventName,
): void {
  for (const key of Object.keys(value)) {
    // A key of its own in many files of settings, where comments are none of the language.
    if (known.includes(key) || key === 'comment') continue;
    const nearest = nearestName(key, known);
    if (nearest === undefined) continue;
    reporter.report('invalid_field', 'warning', [...path, key], `"${key}" is no field of ${of} and is ignored.`, {
      remedy: `Did you mean "${nearest}"?`,
      ...(eventName === undefined ? {} : { eventName }),
    });
  }
}
