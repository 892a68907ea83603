import { protocolVersion, readClientFrame, readHello, readHubFrame, readWelcome } from '../../src/wire/socket-protocol.js';

const server = { server: 1, channel: 'HOOK_HANDLER_CALL', route: 'a' };
const message = { type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId: 'a' } };

test.each([
  { kind: 'hello', protocol: protocolVersion, words: ['of', 'another', 'version'] },
  { kind: 'subscribe', channel: 'c' },
  { kind: 'unsubscribe', channel: 'c' },
  { kind: 'flush', id: 1 },
  { kind: 'serve', ...server },
  { kind: 'serve', server: 1, channel: 'c' },
  { kind: 'unserve', server: 1 },
  { kind: 'publish', id: 1, message },
  { kind: 'publish', id: 1, message: 'anything' },
  { kind: 'publish', id: 1, unsolicited: true, message },
  { kind: 'taken', turn: 1 },
  { kind: 'refused', turn: 1 },
])('%j is a frame of a client', (frame) => {
  expect(readClientFrame(frame)).toEqual(frame);
});

test.each([
  { kind: 'welcome', protocol: protocolVersion, words: ['of', 'another', 'version'] },
  { kind: 'turned-away', code: 'a newer one', message: 'm' },
  { kind: 'message', isNew: true, message },
  { kind: 'message', isNew: true, unsolicited: true, message },
  { kind: 'message', isNew: false, turn: 1, server: 1, message },
  { kind: 'own', isNew: true, id: 1, delivery: 'served' },
  { kind: 'own', isNew: true, id: 1, turn: 1, server: 1 },
  { kind: 'own', isNew: true, id: 1, unsolicited: true, delivery: 'unserved' },
  { kind: 'delivered', id: 1, delivery: 'unserved' },
  { kind: 'flushed', id: 1 },
  { kind: 'rejected', id: 1, code: 'malformed', message: 'm' },
  { kind: 'rejected', id: 1, code: 'refused', message: 'm' },
  { kind: 'rejected', id: 1, code: 'id_in_use', message: 'm' },
  { kind: 'rejected', id: 1, code: 'overloaded', message: 'm' },
])('%j is a frame of a hub', (frame) => {
  expect(readHubFrame(frame)).toEqual(frame);
});

test('a message is not looked into, and is handed on as it is', () => {
  const frame = readHubFrame({ kind: 'message', isNew: true, message });
  expect(frame).toHaveProperty('message', message);
  expect((frame as { message: unknown }).message).toBe(message);
});

test.each([
  null,
  'hello',
  [],
  {},
  { kind: 'constructor' },
  { kind: ['publish'], id: 1, message },
  { kind: 'hello', protocol: '1' },
  { kind: 'subscribe' },
  { kind: 'serve', ...server, server: 1.5 },
  { kind: 'serve', ...server, route: null },
  { kind: 'publish', id: 2 ** 60, message },
  { kind: 'taken', turn: '1' },
  { kind: 'message', isNew: 1, message },
  { kind: 'own', isNew: true, id: 1, delivery: 'perhaps' },
  { kind: 'delivered', id: 1 },
  { kind: 'rejected', id: 1, code: 'no_such_code', message: 'm' },
])('%j is not a frame', (frame) => {
  expect([readClientFrame(frame), readHubFrame(frame)]).toEqual([undefined, undefined]);
});

test('a hello of this version says what is subscribed to and served, and a welcome how much is carried', () => {
  const identity = 'identity-of-a-client';
  const hello = { kind: 'hello', protocol: protocolVersion, identity, channels: ['c'], servers: [server] };
  expect(readHello(hello)).toEqual({ identity, channels: ['c'], servers: [server] });
  expect(readHello({ ...hello, identity: 'short' })).toBeUndefined();
  expect(readHello({ ...hello, channels: [5] })).toBeUndefined();
  expect(readHello({ ...hello, servers: [{ ...server, channel: undefined }] })).toBeUndefined();
  expect(readWelcome({ kind: 'welcome', protocol: protocolVersion, maxMessageBytes: 5 })).toEqual({ maxMessageBytes: 5 });
  expect(readWelcome({ kind: 'welcome', protocol: protocolVersion })).toBeUndefined();
});
