import { describeOption } from '@tenterhook/runtime/text';
import type { HookClient } from '../client/hook-client.js';

/**
 * The client of an adapter, or a function that returns it. Objects of a framework often live as long as the program, and a client as long
 * as a session, so the function is called for each operation. `scope` is what the framework passes to the operation. The function must
 * return the same client for all operations of a session.
 */
export type ClientSource<Scope = undefined> = HookClient | ((scope: Scope) => HookClient);

/** Throws a TypeError if the first argument of an adapter is neither a client nor a function. */
export function requireClientSource(caller: string, source: unknown): void {
  if (typeof source === 'function' || isClient(source)) return;
  throw new TypeError(
    `${caller}: the first argument must be a client or a function that returns one, and is ${describeOption(source)}. Pass createHookClient(hooks).`,
  );
}

/** Returns the client of an operation. Throws a TypeError if the function returns no client, because hooks would be left out silently. */
export function getClient<Scope>(caller: string, source: ClientSource<Scope>, scope: Scope): HookClient {
  if (typeof source !== 'function') return source;
  const client: unknown = source(scope);
  if (isClient(client)) return client;
  throw new TypeError(
    `${caller}: the function that returns the client returned ${describeOption(client)}. It must return a client at once.`,
  );
}

function isClient(value: unknown): value is HookClient {
  const { fire, has } = (value ?? {}) as Partial<HookClient>;
  return typeof fire === 'function' && typeof has === 'function';
}
