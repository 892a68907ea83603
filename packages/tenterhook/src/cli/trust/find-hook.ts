import { suggestName } from '@tenterhook/runtime/text';
import { UsageError } from '../errors/exit-status.js';

/** A hook that a name on the command line may mean. */
export interface NamedHook {
  readonly id: string;
  readonly name?: string | undefined;
}

/** Returns the id of the hook with this id, or of the only hook with this name. Throws a UsageError that suggests a similar name. */
export function findHook(given: string, hooks: readonly NamedHook[]): string {
  const byId = hooks.find(({ id }) => id === given);
  if (byId !== undefined) return byId.id;
  const [found, ...others] = [...new Set(hooks.filter(({ name }) => name === given).map(({ id }) => id))];
  if (found === undefined) {
    const known = hooks.flatMap(({ id, name }) => (name === undefined ? [id] : [id, name]));
    throw new UsageError(
      `There is no hook ${JSON.stringify(given)}. ${suggestName(given, known, 'tenterhook trust --show lists the hooks.')}`,
    );
  }
  if (others.length > 0)
    throw new UsageError(
      `${others.length + 1} hooks have the name ${JSON.stringify(given)}. Write the id of one: ${[found, ...others].join(', ')}.`,
    );
  return found;
}
