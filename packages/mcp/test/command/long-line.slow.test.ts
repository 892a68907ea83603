import { afterEach, expect, test } from '@jest/globals';
import { openPlace, type Place, RawClient } from '../rig/link-rig.js';

let place: Place;
afterEach(() => place.remove());

test('a line of more than 64 MB ends the connection, and is not passed on', async () => {
  place = openPlace();
  const client = new RawClient(place);
  await client.initialize();
  client.write(`{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"${'x'.repeat(65 * 1024 * 1024)}"}}`);
  expect(await client.next()).toMatchObject({ id: null, error: { code: -32600, message: 'The line is longer than 67108864 bytes.' } });
  expect(await client.ended).toEqual({ status: 0, signal: null });
  expect(place.calls()).toEqual([]);
});
