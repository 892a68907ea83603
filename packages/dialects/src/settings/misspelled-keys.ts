import { type HookEventName, nearestName } from '@tenterhook/protocol';
import type { Reporter } from './reporter.js';

/** A misspelled key is the quietest way to lose a setting, so a near miss is said; unknown keys as such pass. */
export function reportMisspelledKeys(
  value: Record<string, unknown>,
  known: readonly string[],
  path: readonly (string | number)[],
  eventName: HookEventName,
  reporter: Reporter,
): void {
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue;
    const nearest = nearestName(key, known);
    if (nearest === undefined) continue;
    reporter.report('invalid_field', 'warning', [...path, key], `"${key}" is no field of a hook and is ignored.`, {
      remedy: `Did you mean "${nearest}"?`,
      eventName,
    });
  }
}
