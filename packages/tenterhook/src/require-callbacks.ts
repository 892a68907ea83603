import { isPlainObject } from '@tenterhook/runtime/json';
import { nearestName } from '@tenterhook/runtime/text';

const knownTypes = ['prompt', 'agent', 'mcp_tool'];

/**
 * Throws a TypeError for a slip in the name of a callback: its hooks would be guards that are not there. Another name may be a type of a
 * dialect that is written elsewhere. Whether a callback can be called is checked where it is called from, in the engine.
 */
export function requireCallbacks(callbacks: unknown): void {
  if (!isPlainObject(callbacks)) return;
  for (const type of Object.keys(callbacks)) {
    const nearest = knownTypes.includes(type) ? undefined : nearestName(type, knownTypes);
    if (nearest !== undefined) throw new TypeError(`createHooks: "callbacks" has no "${type}". Did you mean "${nearest}"?`);
  }
}
