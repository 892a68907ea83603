import { readdirSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { MessageBus } from '@tenterhook/bus';
import { SocketTransportError } from '../../src/index.js';
import { encodeFrame, FrameDecoder } from '../../src/wire/frames.js';
import { protocolVersion } from '../../src/wire/socket-protocol.js';
import { cancel, listen, nextState, request, SocketScene } from '../socket-scene.js';

let scene: SocketScene;
let fake: Server | undefined;
beforeEach(() => {
  scene = new SocketScene();
});
afterEach(async () => {
  await scene.end();
  fake?.close();
  fake = undefined;
});

/** Starts a hub that sends to each connection what the test wants. */
async function fakeHub(say: (socket: Socket) => void): Promise<void> {
  fake = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', () => {});
    say(socket);
  });
  await new Promise<void>((resolve) => fake?.listen(scene.path, resolve));
}

const frame = (value: unknown) => encodeFrame(JSON.stringify(value));
const welcome = frame({ kind: 'welcome', protocol: protocolVersion, maxMessageBytes: 1_000_000 });

describe('connecting', () => {
  test('without a hub it fails after its timeout, with the path, the reason and what to do', async () => {
    const error = await scene.client({ timeoutMs: 500 }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SocketTransportError);
    expect(error).toMatchObject({ code: 'no_hub', remedy: expect.stringContaining('listenOnSocket') });
    expect(String(error)).toContain(`No hub answered at ${scene.path} within 500 ms (connect ENOENT`);
  });

  test('a hub that accepts but does not answer does not count', async () => {
    await fakeHub(() => {});
    await expect(scene.client({ timeoutMs: 60 })).rejects.toMatchObject({
      code: 'no_hub',
      message: expect.stringContaining('not answered yet'),
    });
  });

  test('it leaves no file beside the socket, also with a hub that does not read the record of begun requests', async () => {
    await scene.hub();
    await scene.client();
    expect(readdirSync(scene.directory)).toEqual(['bus']);
    await scene.end();
    scene = new SocketScene();
    await fakeHub((socket) => socket.write(welcome));
    await scene.client();
    expect(readdirSync(scene.directory)).toEqual(['bus']);
  });

  test('it waits for a hub that comes later', async () => {
    const client = scene.client();
    const hub = await scene.hub();
    const seen = listen(hub, 'HOOK_EXECUTION_CANCEL');
    await (await client).publish(cancel('a'));
    expect(seen.messages).toEqual([cancel('a')]);
  });

  test('its signal ends it, before and while it tries', async () => {
    await expect(scene.client({ signal: AbortSignal.abort('no time') })).rejects.toMatchObject({ code: 'cancelled', cause: 'no time' });
    const controller = new AbortController();
    const client = scene.client({ signal: controller.signal });
    controller.abort();
    await expect(client).rejects.toMatchObject({ code: 'cancelled' });
  });

  test('a signal that aborts later changes nothing', async () => {
    await scene.hub();
    const controller = new AbortController();
    const client = await scene.client({ signal: controller.signal });
    controller.abort();
    expect(await client.publish(cancel('a'))).toBe('unserved');
  });

  test.each([
    [
      'a hub of another version',
      { kind: 'welcome', protocol: protocolVersion + 1 },
      `uses version ${protocolVersion + 1} of the socket protocol, and this client uses version ${protocolVersion}`,
    ],
    [
      'a hub that refuses this version',
      { kind: 'turned-away', code: 'version_mismatch', message: 'Version 2 is spoken here.' },
      'Version 2 is',
    ],
  ])('%s is an error at once, which reports it', async (_, said, message) => {
    await fakeHub((socket) => socket.write(frame(said)));
    await expect(scene.client()).rejects.toMatchObject({ code: 'version_mismatch', message: expect.stringContaining(message) });
  });

  test('one connection more than the limit is refused, and a free place is taken', async () => {
    await scene.hub({ maxConnections: 1 });
    const first = await scene.client();
    await expect(scene.client()).rejects.toMatchObject({
      code: 'too_many_connections',
      message: expect.stringContaining('maxConnections'),
    });
    await first.close();
    await scene.client();
  });

  test.each<[object, string]>([
    [{ path: 5 }, 'path must be'],
    [{ singal: 5 }, 'connectToSocket has no option "singal". Did you mean "signal"?'],
    [{ timeoutMs: 0 }, 'connectToSocket: timeoutMs must be an integer from 1'],
    [{ maxMessageBytes: Number.NaN }, 'maxMessageBytes must be'],
  ])('%j is wrong use', async (options, message) => {
    await expect(scene.client(options)).rejects.toThrow(TypeError);
    await expect(scene.client(options)).rejects.toThrow(message);
  });
});

describe('a hub that goes and comes', () => {
  test('what was published and is not known to be carried is rejected, and so is what is published meanwhile', async () => {
    const hub = await scene.hub();
    const client = await scene.client();
    const lost = nextState(client);
    const onTheWay = client.publish(request('a'));
    const closed = hub.close();
    await expect(onTheWay).rejects.toMatchObject({ code: 'disconnected' });
    await closed;
    expect(await lost).toBe('lost');
    await expect(client.publish(request('b'))).rejects.toMatchObject({ code: 'disconnected' });
  });

  test('a message that its own server has received is served, even if the hub is gone before it reports it', async () => {
    await fakeHub((socket) => {
      const decoder = new FrameDecoder(1_000_000);
      socket.on('data', (piece: Buffer) => {
        decoder.push(piece);
        for (let said = decoder.next(); said !== undefined; said = decoder.next()) {
          const { kind, id } = (said as { value: { kind: string; id?: number } }).value;
          if (kind === 'hello') socket.write(welcome);
          if (kind === 'publish') socket.end(frame({ kind: 'own', isNew: true, id, turn: 1, server: 1 }));
        }
      });
    });
    const client = await scene.client();
    client.serve('HOOK_EXECUTION_REQUEST', () => {});
    const lost = nextState(client);
    await expect(client.publish(request('a'))).resolves.toBe('served');
    expect(await lost).toBe('lost');
  });

  test('what was subscribed to and served meanwhile stands when it is restored, and what was stopped does not', async () => {
    const hub = await scene.hub();
    const client = await scene.client();
    const stopServing = client.serve('HOOK_HANDLER_CALL', () => {}, 'gone');
    const lost = nextState(client);
    await hub.close();
    await lost;
    stopServing();
    const seen = listen(client, 'HOOK_EXECUTION_CANCEL');
    client.serve('HOOK_EXECUTION_REQUEST', () => {});
    const restored = nextState(client);
    const next = await scene.hub();
    await restored;
    expect(await next.publish(request('a'))).toBe('served');
    const call = { engineId: 'gone', hookId: 'h', event: {}, timeoutMs: 1 };
    expect(await next.publish({ type: 'HOOK_HANDLER_CALL', payload: call })).toBe('unserved');
    next.publish(cancel('b'));
    expect(await seen.count(1)).toEqual([cancel('b')]);
  });

  test('a listener of the connection may publish, throw, and close', async () => {
    const hub = await scene.hub();
    const client = await scene.client();
    const bus = new MessageBus({ transport: client });
    let outcome: unknown;
    bus.onConnectionChange((state) => {
      if (state === 'restored') outcome = client.publish(cancel('back'));
      throw new Error('mine');
    });
    const lost = nextState(client);
    await hub.close();
    await lost;
    const restored = nextState(client);
    const next = await scene.hub();
    const seen = listen(next, 'HOOK_EXECUTION_CANCEL');
    await restored;
    await seen.count(1);
    expect(await outcome).toBe('unserved');
    const closed = new Promise<void>((resolve) => {
      client.onConnectionChange?.(() => resolve(client.close()));
    });
    await next.close();
    await closed;
  });

  test('close() while there is no hub ends the search', async () => {
    const hub = await scene.hub();
    const client = await scene.client();
    const lost = nextState(client);
    await hub.close();
    await lost;
    await client.close();
    await expect(client.publish(cancel('a'))).rejects.toMatchObject({ code: 'disposed' });
  });
});

describe('a hub that says what it should not', () => {
  test('the connection is ended and opened anew', async () => {
    let connections = 0;
    await fakeHub((socket) => {
      connections += 1;
      socket.write(welcome);
      if (connections === 1) socket.write('GET / HTTP/1.1\r\n\r\n');
    });
    const client = await scene.client();
    expect([await nextState(client), await nextState(client)]).toEqual(['lost', 'restored']);
    expect(connections).toBe(2);
  });

  test('a malformed message is dropped, and a malformed response becomes one that reports it', async () => {
    const message = (type: string, payload: unknown) => frame({ kind: 'message', isNew: true, message: { type, payload } });
    let speak = () => {};
    await fakeHub((socket) => {
      socket.write(welcome);
      speak = () => {
        socket.write(message('HOOK_EXECUTION_CANCEL', {}));
        socket.write(message('HOOK_EXECUTION_RESPONSE', { success: true }));
        socket.write(message('HOOK_EXECUTION_RESPONSE', { correlationId: 'a', success: true, output: 5 }));
      };
    });
    const client = await scene.client();
    const cancels = listen(client, 'HOOK_EXECUTION_CANCEL');
    const responses = listen(client, 'HOOK_EXECUTION_RESPONSE');
    speak();
    const [response] = await responses.count(1);
    expect(response?.payload).toMatchObject({ correlationId: 'a', success: false, error: { code: 'internal_error' } });
    expect(responses.messages).toHaveLength(1);
    expect(cancels.messages).toEqual([]);
  });
});
