import { MessageBus } from '@tenterhook/bus';
import { asked, call, channel, start } from './socket-processes.js';
import { listen, request, SocketScene } from './socket-scene.js';

let scene: SocketScene;
beforeEach(() => {
  scene = new SocketScene();
});
afterEach(() => scene.end());

describe('processes that answer', () => {
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

  test('one that dies of the first of two requests that arrive together: only the second goes on to the next one', async () => {
    const bus = new MessageBus({ transport: await scene.hub(), cancelGraceMs: 0 });
    const victim = await scene.peers.start('client', scene.path);
    await victim.respond({ channel, name: 'victim', dies: true });
    victim.signal('SIGSTOP');
    const pending = [bus.request(channel, asked, { timeoutMs: 2000 }), bus.request(channel, asked)];
    const other = await scene.peers.start('client', scene.path);
    await other.respond({ channel, name: 'other' });
    victim.signal('SIGCONT');
    const [first, second] = await Promise.all(pending);
    expect([first?.error?.code, second?.error?.message]).toEqual(['timeout', 'other']);
    await other.next('asked');
    expect(other.count('asked')).toBe(0);
  });

  test('one that is killed before it has taken the request: there is no responder, and the requester gets one answer', async () => {
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

  test('one that is stopped delays only its own requests, and answers when it continues', async () => {
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
    // More bytes than the system buffers for a client that does not read.
    for (let count = 0; count < 20; count += 1)
      hub.publish({ type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId: 'x'.repeat(100_000) } });
    await hub.close();
  });
});

describe('a hub that is killed and started again', () => {
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
  test('it waits for the next hub where it serves', async () => {
    const hub = await scene.hub();
    const connected = listen(hub, 'HOOK_EXECUTION_CANCEL');
    const { child, ended } = start(scene, 'serving');
    await connected.count(1);
    await hub.close();
    try {
      const next = await scene.hub();
      for (let count = 0; (await next.publish(request(`end ${count}`))) === 'unserved'; count += 1) {
        // Without an answer, each would count as one of the open requests, of which there is a limit.
        const error = { code: 'no_responders' as const, message: 'not yet' };
        await next.publish({ type: 'HOOK_EXECUTION_RESPONSE', payload: { correlationId: `end ${count}`, success: false, error } });
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(await ended).toEqual([0, null]);
    } finally {
      child.kill('SIGKILL');
    }
  });
});
