import * as bus from '../src/index.js';
import * as internal from '../src/internal.js';

test('the public names', () => {
  expect(Object.keys(bus)).toEqual(['MemoryTransport', 'MessageBus', 'parseMessage']);
  expect(Object.keys(internal)).toEqual(['createStream', 'keyOfMessage', 'serverKey']);
});
