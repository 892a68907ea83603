import type { HookClient } from './client/hook-client.js';

/** As many as show what led to a call; a longer list would only make every event larger. */
const maxTools = 10;

/** Beside the clients and not in them: a client is an interface that a host may implement without a memory. */
const toolsOf = new WeakMap<HookClient, string[]>();

/** Names of the tools that last began to run through this client, the newest last. */
export function recentTools(client: HookClient): string[] {
  return [...(toolsOf.get(client) ?? [])];
}

export function rememberTool(client: HookClient, name: unknown): void {
  // A name comes from the model. What is no text would make every later event one that cannot be shown.
  if (typeof name !== 'string') return;
  const tools = toolsOf.get(client);
  if (tools === undefined) toolsOf.set(client, [name]);
  else if (tools.push(name) > maxTools) tools.shift();
}
