import { MessageBus, type Transport } from '@tenterhook/bus';
import type { BusMessage } from '@tenterhook/protocol';
import { encodeFrame } from '../../src/wire/frames.js';
import { protocolVersion } from '../../src/wire/socket-protocol.js';
import { cancel, identity, listen, request, SocketScene } from '../socket-scene.js';

let scene: SocketScene;
beforeEach(() => {
  scene = new SocketScene();
});
afterEach(() => scene.end());

const hello = encodeFrame(JSON.stringify({ kind: 'hello', protocol: protocolVersion, identity, channels: [], servers: [] }));
const frame = (value: unknown) => encodeFrame(JSON.stringify(value));
const server = { server: 1, channel: 'HOOK_EXECUTION_REQUEST' };

describe('what is thrown at a hub', () => {
  test.each<[string, (Buffer | string)[]]>([
    ['text of another protocol', ['GET / HTTP/1.1\r\nHost: a\r\n\r\n']],
    ['zeros', [Buffer.alloc(100)]],
    ['a length that nothing follows, larger than a hello', [Buffer.from([0x7f, 0xff, 0xff, 0xff])]],
    ['a frame that is not JSON', [hello, encodeFrame('{"kind":')]],
    ['a frame that is not UTF-8', [hello, Buffer.from([0, 0, 0, 3, 0x22, 0xff, 0x22])]],
    ['a frame that is not an object', [hello, frame([1])]],
    ['a frame of an unknown kind', [hello, frame({ kind: 'constructor' })]],
    ['a frame with a field of another type', [hello, frame({ kind: 'publish', id: 'one', message: {} })]],
    ['a frame larger than messages may be', [hello, Buffer.from([0x05, 0, 0, 0])]],
    ['a publish without a hello', [frame({ kind: 'publish', id: 1, message: cancel('a') })]],
    ['a second hello', [hello, hello]],
    ['a hello without what is served', [frame({ kind: 'hello', protocol: protocolVersion, identity })]],
    ['a hello without an identity', [frame({ kind: 'hello', protocol: protocolVersion, channels: [], servers: [] })]],
    [
      'a hello with an identity that others could guess',
      [frame({ kind: 'hello', protocol: protocolVersion, identity: '', channels: [], servers: [] })],
    ],
    ['a turn that was never given', [hello, frame({ kind: 'taken', turn: 7 })]],
    ['a server that was never there', [hello, frame({ kind: 'unserve', server: 7 })]],
    ['one server twice', [hello, frame({ kind: 'serve', ...server }), frame({ kind: 'serve', ...server })]],
  ])('%s: that connection is ended, and the others go on', async (_, pieces) => {
    const hub = await scene.hub();
    const client = await scene.client();
    const raw = scene.raw();
    for (const piece of pieces) raw.socket.write(piece);
    await raw.ended;
    const seen = listen(hub, 'HOOK_EXECUTION_CANCEL');
    await client.publish(cancel('still here'));
    expect(seen.messages).toEqual([cancel('still here')]);
  });

  test('frames in pieces of one byte are frames', async () => {
    const hub = await scene.hub();
    const seen = listen(hub, 'HOOK_EXECUTION_CANCEL');
    const raw = scene.raw();
    for (const byte of Buffer.concat([hello, frame({ kind: 'publish', id: 1, message: cancel('ä🦀') })]))
      raw.socket.write(Buffer.from([byte]));
    expect(await seen.count(1)).toEqual([cancel('ä🦀')]);
    expect([await raw.heard(), await raw.heard()]).toMatchObject([{ kind: 'welcome' }, { kind: 'placed', id: 1 }]);
  });

  test('another version is refused in words, on both sides', async () => {
    await scene.hub();
    const raw = scene.raw();
    raw.say({ kind: 'hello', protocol: protocolVersion + 1, something: 'new' });
    expect(await raw.heard()).toEqual({
      kind: 'turned-away',
      code: 'version_mismatch',
      message: `The hub uses version ${protocolVersion} of the socket protocol, and the client uses version ${protocolVersion + 1}. Use the same version of @tenterhook/transport-socket on both sides.`,
    });
    await raw.ended;
  });

  test('a malformed message of a client is refused, and its connection stays', async () => {
    await scene.hub();
    const raw = scene.raw();
    raw.hello(['HOOK_EXECUTION_CANCEL']);
    raw.say({ kind: 'publish', id: 1, message: { type: 'HOOK_EXECUTION_CANCEL', payload: {} } });
    raw.say({ kind: 'publish', id: 2, message: 'hello' });
    raw.say({ kind: 'publish', id: 3, message: cancel('a') });
    const heard = [await raw.heard(), await raw.heard(), await raw.heard(), await raw.heard()];
    expect(heard.map(({ kind, id, code }) => [kind, id, code])).toEqual([
      ['welcome', undefined, undefined],
      ['rejected', 1, 'malformed'],
      ['rejected', 2, 'malformed'],
      ['own', 3, undefined],
    ]);
  });

  test('a response that is malformed is not lost on its requester', async () => {
    const bus = new MessageBus({ transport: await scene.hub() });
    const client = await scene.client();
    const answering = new MessageBus({ transport: client });
    answering.respond('HOOK_EXECUTION_REQUEST', () => ({ success: true, output: 'no result' as never }));
    await client.publish(cancel('settled'));
    const response = await bus.request('HOOK_EXECUTION_REQUEST', { eventName: 'HostStart', input: {} });
    expect(response.error).toMatchObject({ code: 'internal_error', message: expect.stringContaining('payload.output') });
  });
});

describe('a connection that does not keep up', () => {
  const large = 'x'.repeat(1_000_000);

  test('one that never reads is ended when too much waits, and delays no other', async () => {
    const hub = await scene.hub({ maxWaitingBytes: 4_000_000 });
    const client = await scene.client();
    const seen = listen(client, 'HOOK_EXECUTION_CANCEL');
    const raw = scene.raw();
    raw.hello(['HOOK_EXECUTION_CANCEL']);
    await raw.heard();
    raw.socket.pause();
    for (let count = 1; count <= 20; count += 1) {
      hub.publish(cancel(`${count} ${large}`));
      // The client reads each message before the next is sent, so that the hub ends only the other connection.
      await seen.count(count);
    }
    raw.socket.resume();
    await raw.ended;
    await client.publish(cancel('still here'));
    expect(await seen.count(21)).toHaveLength(21);
  });

  test('a burst of twice what may wait reaches one that reads', async () => {
    const hub = await scene.hub({ maxWaitingBytes: 4_000_000 });
    const client = await scene.client();
    const seen = listen(client, 'HOOK_EXECUTION_CANCEL');
    await client.publish(cancel('subscribed'));
    for (let count = 1; count <= 8; count += 1) hub.publish(cancel(`${count} ${large}`));
    expect(await seen.count(9)).toHaveLength(9);
  });

  test('one message may wait, however large it is', async () => {
    const hub = await scene.hub({ maxWaitingBytes: 1024 });
    const client = await scene.client();
    const seen = listen(client, 'HOOK_EXECUTION_CANCEL');
    await client.publish(cancel('subscribed'));
    hub.publish(cancel(large));
    expect(await seen.count(2)).toEqual([cancel('subscribed'), cancel(large)]);
  });

  test('a message that it did not take goes to the next server, or is unserved without one', async () => {
    const hub = await scene.hub();
    const raw = scene.raw();
    raw.hello([], [server]);
    await raw.heard();
    const client = await scene.client();
    const served: string[] = [];
    client.serve('HOOK_EXECUTION_REQUEST', ({ payload }) => served.push((payload as { correlationId: string }).correlationId));
    await client.publish(cancel('settled'));
    const outcomes = [hub.publish(request('a')), hub.publish(request('b'))];
    expect(await raw.heard()).toMatchObject({ kind: 'message', isNew: false, server: 1, message: request('a') });
    raw.socket.destroy();
    expect(await Promise.all(outcomes)).toEqual(['served', 'served']);
    expect(served.sort()).toEqual(['a', 'b']);

    const last = scene.raw();
    last.hello([], [server]);
    await last.heard();
    await client.close();
    const outcome = hub.publish(request('c'));
    await last.heard();
    last.socket.end();
    expect(await outcome).toBe('unserved');
  });
});

test('the requests of a connection that ends are cancelled in its name, and no later server receives them', async () => {
  const hub = await scene.hub();
  const taker = scene.raw();
  taker.hello(['HOOK_EXECUTION_CANCEL'], [server], 'a peer that serves');
  await taker.heard();
  const requester = scene.raw();
  requester.hello();
  for (const id of ['a', 'b']) requester.say({ kind: 'publish', id: 1, message: request(id) });
  for (const id of ['a', 'b']) expect(await taker.heard()).toMatchObject({ kind: 'message', message: request(id) });
  const cancels = listen(hub, 'HOOK_EXECUTION_CANCEL');
  requester.say({ kind: 'publish', id: 2, message: cancel('b') });
  expect(await taker.heard()).toMatchObject({ message: cancel('b') });
  requester.socket.destroy();
  const lost = { type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId: 'a', reason: 'the connection of the requester has ended' } };
  // Without `unsolicited`: the cancel has an effect at the process that has the request.
  expect(await taker.heard()).toEqual({ kind: 'message', isNew: true, placed: 0, message: lost });

  const served: unknown[] = [];
  hub.serve('HOOK_EXECUTION_REQUEST', (message) => served.push(message));
  taker.socket.destroy();
  const watcher = await scene.client();
  await taker.ended;
  await watcher.publish(cancel('settled'));
  expect(served).toEqual([]);
  expect(cancels.messages).toEqual([cancel('b'), lost, cancel('settled')]);
  // The ids are free again.
  expect(await watcher.publish(request('a'))).toBe('served');
});

test('what stays in the process of the hub need not be JSON', async () => {
  const hub = await scene.hub();
  const seen = listen(hub, 'HOOK_EXECUTION_REQUEST');
  const message = { type: 'HOOK_EXECUTION_REQUEST' as const, payload: { eventName: 'e', input: { big: 1n } } };
  expect(hub.publish(message)).toBe('unserved');
  expect(seen.messages[0]).toBe(message);
});

test('a hub reads what its smaller brother refuses: each side says what it carries', async () => {
  const hub = await scene.hub({ maxMessageBytes: 2048 });
  const client = await scene.client();
  await expect(client.publish(cancel('x'.repeat(3000)))).rejects.toMatchObject({
    code: 'too_large',
    message: expect.stringContaining('2048'),
  });
  expect(await client.publish(cancel('a'))).toBe('unserved');
  await hub.close();
});

test('a route belongs to the end that serves it first, until that end stops or is gone', async () => {
  const hub = await scene.hub();
  const [first, second] = [await scene.client(), await scene.client()];
  const received: string[] = [];
  const call = { type: 'HOOK_HANDLER_CALL', payload: { engineId: 'e' } } as unknown as BusMessage;
  const serve = (end: Transport, name: string) => end.serve('HOOK_HANDLER_CALL', () => received.push(name), 'e');
  // A message of an end arrives after everything that the end has served.
  const settled = (end: Transport) => end.publish(cancel('settled'));
  const stop = serve(first, 'first');
  await settled(first);
  const stopRefused = serve(second, 'second');
  await settled(second);
  expect(() => serve(hub, 'hub')).toThrow('Another process on the bus serves the route "e" of HOOK_HANDLER_CALL. Use another route');
  for (const _turn of [1, 2]) expect(await hub.publish(call)).toBe('served');
  expect(received).toEqual(['first', 'first']);
  // Stopping a refused server has no effect. Stopping the other server frees the route.
  stopRefused();
  await settled(second);
  stop();
  await settled(first);
  serve(second, 'second');
  await settled(second);
  expect(await hub.publish(call)).toBe('served');
  await second.close();
  while ((await hub.publish(call)) !== 'unserved');
  serve(hub, 'hub');
  expect(await hub.publish(call)).toBe('served');
  expect([received[2], received.at(-1)]).toEqual(['second', 'hub']);
});

test('a client that comes back is the same end, also if its previous connection is not noticed as ended', async () => {
  const hub = await scene.hub();
  const served = {
    kind: 'hello',
    protocol: protocolVersion,
    identity,
    channels: [],
    servers: [{ server: 1, channel: 'HOOK_HANDLER_CALL', route: 'e' }],
  };
  const [old, back, other] = [scene.raw(), scene.raw(), scene.raw()];
  old.say(served);
  expect(await old.heard()).toMatchObject({ kind: 'welcome' });
  back.say(served);
  other.say({ ...served, identity: `${identity} of another` });
  expect(await back.heard()).toMatchObject({ kind: 'welcome' });
  expect([await other.heard(), await other.heard()]).toMatchObject([{ kind: 'welcome' }, { kind: 'server-refused', server: 1 }]);
  old.socket.destroy();
  const delivery = hub.publish({ type: 'HOOK_HANDLER_CALL', payload: { engineId: 'e' } } as unknown as BusMessage);
  const heard = (await back.heard()) as { turn: number };
  expect(heard).toMatchObject({ kind: 'message', server: 1 });
  back.say({ kind: 'taken', turn: heard.turn });
  expect(await delivery).toBe('served');
});
