import type { HookDefinition } from '@tenterhook/protocol';

/** Hook ids are unique over all sources: a clash gets `~2`, `~3` in order, so that an id is stable while the settings are. */
export function withUniqueIds(hooks: readonly HookDefinition[]): HookDefinition[] {
  const taken = new Set(hooks.map((hook) => hook.id));
  // From where to count on: from two for each clash would take minutes for a file that repeats one name.
  const nextNumbers = new Map<string, number>();
  return hooks.map((hook) => {
    let number = nextNumbers.get(hook.id);
    if (number === undefined) {
      nextNumbers.set(hook.id, 2);
      return hook;
    }
    while (taken.has(`${hook.id}~${number}`)) number += 1;
    const id = `${hook.id}~${number}`;
    taken.add(id);
    nextNumbers.set(hook.id, number + 1);
    return withId(hook, id);
  });
}

const renamed = new WeakMap<HookDefinition, HookDefinition>();

/** The same object as long as hook and id are the same: who remembers something of a hook knows it again when others come and go. */
function withId(hook: HookDefinition, id: string): HookDefinition {
  const known = renamed.get(hook);
  if (known?.id === id) return known;
  const made = { ...hook, id };
  renamed.set(hook, made);
  return made;
}
