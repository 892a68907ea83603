import type { Dialect } from '@tenterhook/protocol';
import { suggestName } from '@tenterhook/runtime/text';
import { UsageError } from './exit-status.js';

/**
 * The dialect of this name. The name of the agent without what follows a dash is enough: `claude` is `claude-code`. `option` is where the name
 * was written, for the message about an unknown one.
 */
export function findDialect<Known extends Pick<Dialect, 'name'>>(given: string, dialects: readonly Known[], option = '--dialect'): Known {
  const shortened = dialects.filter(({ name }) => name.startsWith(`${given}-`));
  const found = dialects.find(({ name }) => name === given) ?? (shortened.length === 1 ? shortened[0] : undefined);
  if (found !== undefined) return found;
  const names = dialects.map(({ name }) => name);
  throw new UsageError(`${option}: unknown dialect "${given}". ${suggestName(given, names, `Known dialects: ${names.join(', ')}.`)}`);
}
