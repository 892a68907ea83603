import type { HookEventName } from '@tenterhook/protocol';
import { nearestName } from '@tenterhook/runtime/text';
import { isForeignField } from '../lint/unknown-fields.js';
import type { Reporter } from './reporter.js';

/** A shorter name is near to too many others: `id` would be `if`. It is meant only where its letters stand there. */
const fewestLetters = 4;

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
    if (known.includes(key) || key === 'comment' || isForeignField(key)) continue;
    const nearest = nearestKey(key, known);
    if (nearest === undefined) continue;
    reporter.report('invalid_field', 'warning', [...path, key], `"${key}" is no field of ${of} and is ignored.`, {
      remedy: `Did you mean "${nearest}"?`,
      ...(eventName === undefined ? {} : { eventName }),
    });
  }
}

function nearestKey(key: string, known: readonly string[]): string | undefined {
  const same = known.find((name) => name.toLowerCase() === key.toLowerCase());
  if (same !== undefined) return same;
  return nearestName(
    key,
    known.filter((name) => name.length >= fewestLetters),
  );
}
