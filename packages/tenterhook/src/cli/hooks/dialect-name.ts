import type { Dialect } from '@tenterhook/protocol';
import { suggestName } from '@tenterhook/runtime/text';
import { UsageError } from '../errors/exit-status.js';

/** Returns the dialect with this name. A dialect is also found by the part of its name before a dash: `claude` finds `claude-code`. */
export function dialectNamed<Known extends Pick<Dialect, 'name'>>(given: string, dialects: readonly Known[]): Known | undefined {
  const shortened = dialects.filter(({ name }) => name.startsWith(`${given}-`));
  return dialects.find(({ name }) => name === given) ?? (shortened.length === 1 ? shortened[0] : undefined);
}

/** Returns what to write in place of an unknown name. */
export function suggestDialect(given: string, dialects: readonly Pick<Dialect, 'name'>[]): string {
  const names = dialects.map(({ name }) => name);
  return suggestName(given, names, `Known dialects: ${names.join(', ')}.`);
}

/** Finds the dialect as `dialectNamed` does. If there is none, throws an error that names `option`. */
export function findDialect<Known extends Pick<Dialect, 'name'>>(given: string, dialects: readonly Known[], option = '--dialect'): Known {
  const found = dialectNamed(given, dialects);
  if (found !== undefined) return found;
  throw new UsageError(`${option}: unknown dialect "${given}". ${suggestDialect(given, dialects)}`);
}
