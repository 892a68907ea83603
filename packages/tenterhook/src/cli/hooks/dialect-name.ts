import type { Dialect } from '@tenterhook/protocol';
import { nearestName } from '@tenterhook/runtime/text';
import { UsageError } from '../errors/exit-status.js';

/** Returns the dialect with this name. A dialect is also found by the part of its name before a dash: `claude` finds `claude-code`. */
export function dialectNamed<Known extends Pick<Dialect, 'name'>>(given: string, dialects: readonly Known[]): Known | undefined {
  const shortened = dialects.filter(({ name }) => name.startsWith(`${given}-`));
  return dialects.find(({ name }) => name === given) ?? (shortened.length === 1 ? shortened[0] : undefined);
}

/** Returns what to write in place of an unknown name. `what` is what the names are names of. */
export function suggestDialect(given: string, dialects: readonly Pick<Dialect, 'name'>[], what = 'dialect'): string {
  const names = dialects.map(({ name }) => name);
  const shortened = names.map((name) => name.split('-')[0] as string);
  const nearest = nearestName(given, [...names, ...shortened]);
  const found = nearest === undefined ? undefined : dialectNamed(nearest, dialects);
  return found === undefined ? `Known ${what}s: ${names.join(', ')}.` : `Did you mean "${found.name}"?`;
}

/** Finds the dialect as `dialectNamed` does. If there is none, throws an error that names `option`, and says what is unknown. */
export function findDialect<Known extends Pick<Dialect, 'name'>>(
  given: string,
  dialects: readonly Known[],
  option = '--dialect',
  what = 'dialect',
): Known {
  const found = dialectNamed(given, dialects);
  if (found !== undefined) return found;
  throw new UsageError(`${option}: unknown ${what} "${given}". ${suggestDialect(given, dialects, what)}`);
}
