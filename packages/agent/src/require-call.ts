import type { HookClient } from './client/hook-client.js';

/**
 * Wrong use, said at once and by name: without it a missing translator would break an agent on the day that its user configures the first
 * hook of the model.
 */
export function requireCall(what: string, client: HookClient, functions: Readonly<Record<string, unknown>>): void {
  if (typeof client?.fire !== 'function') throw new TypeError(`${what} takes a client first: createHookClient(hooks).`);
  for (const [name, value] of Object.entries(functions)) {
    if (typeof value !== 'function') throw new TypeError(`${what}: "${name}" must be a function.`);
  }
}
