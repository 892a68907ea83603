import * as transportSocket from '../src/index.js';

test('the public names', () => {
  expect(Object.keys(transportSocket)).toEqual(['SocketTransportError', 'connectToSocket', 'listenOnSocket']);
});
