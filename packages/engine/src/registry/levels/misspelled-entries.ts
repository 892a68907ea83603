import type { Diagnostic } from '@tenterhook/protocol';
import { nearestName } from '@tenterhook/runtime/text';
import { type LeveledSettings, placeOf, quote } from './leveled-settings.js';

/**
 * The maximum number of entries and names that are compared. Comparing takes quadratic time, and lists that a person writes are shorter.
 */
const comparedNames = 200;

/**
 * Reports entries in lists of disabled hooks that are similar but not equal to the name of a hook. The author of such an entry believes
 * that the hook is disabled. Other unknown entries are not reported, because they may be for hooks of other projects.
 */
export function reportMisspelledEntries(documents: readonly LeveledSettings[], dialect: string): Diagnostic[] {
  const hooks = documents.flatMap((document) => document.hooks);
  const names = [...new Set(hooks.flatMap(({ name }) => name ?? []))].slice(0, comparedNames);
  const known = new Set<string>(hooks.flatMap(({ name, action }) => [name ?? '', action.kind === 'command' ? action.command : '']));
  return documents.flatMap((document) => {
    const { disabled } = document.switches ?? {};
    return (disabled?.value ?? []).slice(0, comparedNames).flatMap((entry, index): Diagnostic[] => {
      const nearest = entry === '' || known.has(entry) ? undefined : nearestName(entry, names);
      if (nearest === undefined) return [];
      return [
        {
          code: 'unknown_hook',
          severity: 'warning',
          message: `The entry ${quote(entry)} disables nothing: no hook has that name or command.`,
          remedy: `Did you mean ${quote(nearest)}?`,
          ...placeOf(document, [...(disabled?.path ?? []), index]),
          dialect,
        },
      ];
    });
  });
}
