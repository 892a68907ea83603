import { expect, test } from '@jest/globals';
import { createHooks } from 'tenterhook';
import { getClient, requireClientSource } from '../../src/adapters/client-source.js';
import { createHookClient } from '../../src/client/hook-client.js';

test('a client is used as it is, and a function is called with the scope each time', async () => {
  await using hooks = await createHooks({ settings: {} });
  const client = createHookClient(hooks);
  expect(getClient('adapter', client, undefined)).toBe(client);
  const scopes: string[] = [];
  const source = (scope: string) => {
    scopes.push(scope);
    return client;
  };
  requireClientSource('adapter', source);
  expect([getClient('adapter', source, 'a'), getClient('adapter', source, 'b')]).toEqual([client, client]);
  expect(scopes).toEqual(['a', 'b']);
});

test('anything else is a TypeError that names the remedy', () => {
  expect(() => requireClientSource('adapter', {})).toThrow('Pass createHookClient(hooks).');
  expect(() => requireClientSource('adapter', undefined)).toThrow(TypeError);
  expect(() => getClient('adapter', (async () => {}) as never, undefined)).toThrow('It must return a client at once.');
});
