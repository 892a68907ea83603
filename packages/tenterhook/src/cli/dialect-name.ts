import type { Dialect } from '@tenterhook/protocol';
import { suggestName } from '@tenterhook/runtime/text';
import { UsageError } from './exit-status.js';

/**
 * Finds the dialect with this name, or with the name before a dash: `claude` finds `claude-code`. `option` is the option for the error
 * message.
 */
export function findDialect<Known extends Pick<Dialect, 'name'>>(given: string, dialects: readonly Known[], option = '--dialect'): Known {
  const shortened = dialects.filter(({ name }) => name.startsWith(`${given}-`));
  const found = dialects.find(({ name }) => name === given) ?? (shortened.length === 1 ? shortened[0] : undefined);
  if (found !== undefined) return found;
  const names = dialects.map(({ name }) => name);
  throw new UsageError(`${option}: unknown dialect "${given}". ${suggestName(given, names, `Known dialects: ${names.join(', ')}.`)}`);
}
