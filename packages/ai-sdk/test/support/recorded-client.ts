import type { HookClient } from '@tenterhook/agent';

/** The same client, and the names of the events that are fired with it. An event without hooks is answered before it is on the bus. */
export function recordedClient(client: HookClient): { readonly client: HookClient; readonly fired: readonly string[] } {
  const fired: string[] = [];
  const fire: HookClient['fire'] = (eventName, input, options) => {
    fired.push(eventName);
    return client.fire(eventName, input, options);
  };
  return { client: { ...client, fire }, fired };
}
