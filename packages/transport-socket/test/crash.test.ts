import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { MessageBus } from '@tenterhook/bus';
import { listen, nextState, request, SocketScene } from './socket-scene.js';

const channel = 'HOOK_EXECUTION_REQUEST';
const asked = { eventName: 'BeforeTool', input: {} };
const call = (engineId: string) => ({ engineId, hookId: 'h', event: {}, timeoutMs: 1000 });

let scene: SocketScene;
beforeEach(() => {
  scene = new SocketScene();
});
afterEach(() => scene.end());

describe('processes that answer', () => {
  test('two of them take turns, and calls of a route go to the one that has it', async () => {
    const bus = new MessageBus({ transport: await scene.hub() });
    for (const name of ['one', 'two']) {
      const peer = await scene.peers.start('client', scene.path);
      await peer.respond({ channel, name });
      await peer.respond({ channel: 'HOOK_HANDLER_CALL', name, route: name });
    }
    const names: unknown[] = [];
    for (let count = 0; count < 6; count += 1) names.push((await bus.request(channel, asked)).error?.message);
    expect(names.filter((name) => name === 'one')).toHaveLength(3);
    expect(names.filter((name) => name === 'two')).toHaveLength(3);
    for (const route of ['two', 'one', 'two']) {
      expect((await bus.request('HOOK_HANDLER_CALL', call(route))).error?.message).toBe(route);
    }
    expect((await bus.request('HOOK_HANDLER_CALL', call('three'))).error?.code).toBe('no_responders');
  });

  test('one that is killed while it works: the request ends with its timeout, and the next finds nobody', async () => {
    const bus = new MessageBus({ transport: await scene.hub(), cancelGraceMs: 0 });
    const peer = await scene.peers.start('client', scene.path);
    await peer.respond({ channel, name: 'victim', hangs: true });
    const pending = bus.request(channel, asked, { timeoutMs: 500 });
    await peer.next('asked');
    await peer.kill();
    expect((await pending).error?.code).toBe('timeout');
    expect((await bus.request(channel, asked)).error?.code).toBe('no_responders');
  });

  test('one that dies of a request has taken it: the request does not go on to the next one', async () => {
    const bus = new MessageBus({ transport: await scene.hub(), cancelGraceMs: 0 });
    const peers = [await scene.peers.start('client', scene.path), await scene.peers.start('client', scene.path)] as const;
    await peers[0].respond({ channel, name: 'victim', dies: true });
    await peers[1].respond({ channel, name: 'other' });
    expect((await bus.request(channel, asked, { timeoutMs: 500 })).error?.code).toBe('timeout');
    expect((await bus.request(channel, asked)).error?.message).toBe('other');
    await peers[1].next('asked');
    expect(peers[1].count('asked')).toBe(0);
  });

  test('one that is killed before it has taken the request: nobody answers, and its requester is told once', async () => {
    const bus = new MessageBus({ transport: await scene.hub() });
    const watching = await scene.client();
    const responses = listen(watching, 'HOOK_EXECUTION_RESPONSE');
    const peer = await scene.peers.start('client', scene.path);
    await peer.respond({ channel, name: 'victim' });
    peer.signal('SIGSTOP');
    const pending = bus.request(channel, asked);
    await peer.kill();
    const response = await pending;
    expect(response.error?.code).toBe('no_responders');
    expect((await responses.count(1)).map(({ payload }) => payload)).toEqual([response]);
  });

  test('the same, where another one is there: it answers', async () => {
    const bus = new MessageBus({ transport: await scene.hub() });
    const victim = await scene.peers.start('client', scene.path);
    await victim.respond({ channel, name: 'victim' });
    victim.signal('SIGSTOP');
    const pending = bus.request(channel, asked);
    const other = await scene.peers.start('client', scene.path);
    await other.respond({ channel, name: 'other' });
    await victim.kill();
    expect((await pending).error?.message).toBe('other');
  });

  test('one that is stopped holds up its own requests and nobody else, and answers when it goes on', async () => {
    const bus = new MessageBus({ transport: await scene.hub() });
    const [stopped, running] = [await scene.peers.start('client', scene.path), await scene.peers.start('client', scene.path)];
    for (const [name, peer] of Object.entries({ stopped, running }))
      await peer.respond({ channel: 'HOOK_HANDLER_CALL', name, route: name });
    stopped.signal('SIGSTOP');
    const pending = bus.request('HOOK_HANDLER_CALL', call('stopped'));
    for (let count = 0; count < 20; count += 1) {
      expect((await bus.request('HOOK_HANDLER_CALL', call('running'))).error?.message).toBe('running');
    }
    expect((await bus.request('HOOK_HANDLER_CALL', call('stopped'), { timeoutMs: 20 })).error?.code).toBe('timeout');
    stopped.signal('SIGCONT');
    expect((await pending).error?.message).toBe('stopped');
  });

  test('a hub closes while one of its connections is stopped', async () => {
    const hub = await scene.hub();
    const peer = await scene.peers.start('client', scene.path);
    await peer.order('watch', { channel: 'HOOK_EXECUTION_CANCEL' });
    await peer.order('settle');
    peer.signal('SIGSTOP');
    // More than the system holds for a reader that does not read.
    for (let count = 0; count < 20; count += 1)
      hub.publish({ type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId: 'x'.repeat(100_000) } });
    await hub.close();
  });
});

describe('a hub that is killed and started again', () => {
  test('is lost and restored: what was on its way is settled, and who listens and answers still does', async () => {
    const first = await scene.peers.start('hub', scene.path);
    await first.respond({ channel, name: 'hub', hangs: true });
    const transport = await scene.client();
    const bus = new MessageBus({ transport });
    bus.respond('HOOK_HANDLER_CALL', () => ({ success: true, output: 'still here' }), { route: 'mine' });
    const seen = listen(transport, 'HOOK_EXECUTION_CANCEL');
    const states: string[] = [];
    bus.onConnectionChange((state) => states.push(state));
    const lost = nextState(transport);
    const pending = bus.request(channel, asked);
    await first.next('asked');
    await first.kill();

    expect((await pending).error).toEqual({
      code: 'disposed',
      message: 'The connection was lost before the answer; nobody knows whether the request was carried out.',
    });
    expect(await lost).toBe('lost');
    await expect(transport.publish(request('a'))).rejects.toMatchObject({
      code: 'disconnected',
      message: expect.stringContaining(scene.path),
    });
    expect((await bus.request(channel, asked)).error).toMatchObject({ code: 'disposed' });

    const restored = nextState(transport);
    const second = await scene.peers.start('hub', scene.path);
    expect(await restored).toBe('restored');
    await second.publish({ type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId: 'after' } });
    expect(await seen.count(1)).toMatchObject([{ payload: { correlationId: 'after' } }]);
    await second.order('request', { channel: 'HOOK_HANDLER_CALL', payload: call('mine') });
    expect(await second.next('response')).toMatchObject({ response: { success: true, output: 'still here' } });
    expect(states).toEqual(['lost', 'restored']);
    await bus.close();
  });

  test('a client that is stopped longer than its hub lives finds the next one', async () => {
    const hub = await scene.hub();
    const peer = await scene.peers.start('client', scene.path);
    await peer.respond({ channel, name: 'peer' });
    peer.signal('SIGSTOP');
    await hub.close();
    const bus = new MessageBus({ transport: await scene.hub() });
    peer.signal('SIGCONT');
    expect([(await peer.next('state'))['state'], (await peer.next('state'))['state']]).toEqual(['lost', 'restored']);
    expect((await bus.request(channel, asked)).error?.message).toBe('peer');
  });
});

describe('whether a process goes on without its hub', () => {
  const start = (kind: string) => {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'fixtures/idle.mjs'), scene.path, kind], { stdio: 'inherit' });
    return { child, ended: once(child, 'exit') };
  };

  test('it ends where nothing is listened for', async () => {
    const hub = await scene.hub();
    const connected = listen(hub, 'HOOK_EXECUTION_CANCEL');
    const { ended } = start('idle');
    await connected.count(1);
    await hub.close();
    expect(await ended).toEqual([0, null]);
  });

  test('it waits for the next hub where it serves', async () => {
    const hub = await scene.hub();
    const connected = listen(hub, 'HOOK_EXECUTION_CANCEL');
    const { child, ended } = start('serving');
    await connected.count(1);
    await hub.close();
    try {
      const next = await scene.hub();
      while ((await next.publish(request('end'))) === 'unserved') await new Promise((resolve) => setImmediate(resolve));
      expect(await ended).toEqual([0, null]);
    } finally {
      child.kill('SIGKILL');
    }
  });
});
