import type { HookClient } from '../client/hook-client.js';

/** The maximum number of names. A longer list would make every event larger. */
const maxRecentTools = 10;

/**
 * For each client, the names of the tools that were called last. Storing the names in the client was rejected, because hosts may
 * implement the client interface themselves.
 */
const recentTools = new WeakMap<HookClient, string[]>();

/** Returns the names of the tools that were called last with this client, in the order in which the calls began. */
export function getRecentTools(client: HookClient): string[] {
  return [...(recentTools.get(client) ?? [])];
}

export function rememberTool(client: HookClient, name: unknown): void {
  // The model chose the name, so it may be invalid. Later events contain it in `recent_tools`, and an invalid name would make these
  // events invalid.
  if (typeof name !== 'string') return;
  const tools = recentTools.get(client);
  if (tools === undefined) recentTools.set(client, [name]);
  else if (tools.push(name) > maxRecentTools) tools.shift();
}
