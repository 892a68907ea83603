import type { HookDefinition } from '@tenterhook/protocol';

/** Hook ids are unique over all sources: a clash gets `~2`, `~3` in order, so that an id is stable while the settings are. */
export function withUniqueIds(hooks: readonly HookDefinition[]): HookDefinition[] {
  const taken = new Set(hooks.map((hook) => hook.id));
  const seen = new Set<string>();
  return hooks.map((hook) => {
    if (!seen.has(hook.id)) {
      seen.add(hook.id);
      return hook;
    }
    let number = 2;
    while (taken.has(`${hook.id}~${number}`)) number += 1;
    const id = `${hook.id}~${number}`;
    taken.add(id);
    return { ...hook, id };
  });
}
