import { MessageBus } from '@tenterhook/bus';
import { asked, call, channel, start } from './socket-processes.js';
import { listen, nextState, request, SocketScene } from './socket-scene.js';

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

  test('one that is killed while it works: the request ends with its timeout, and the next finds no responder', async () => {
    const bus = new MessageBus({ transport: await scene.hub(), cancelGraceMs: 0 });
    const peer = await scene.peers.start('client', scene.path);
    await peer.respond({ channel, name: 'victim', hangs: true });
    const pending = bus.request(channel, asked, { timeoutMs: 500 });
    await peer.next('asked');
    await peer.kill();
    expect((await pending).error?.code).toBe('timeout');
    expect((await bus.request(channel, asked)).error?.code).toBe('no_responders');
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
      message: 'The connection was lost before the answer arrived. It is unknown whether the request was carried out.',
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
});

describe('whether a process goes on without its hub', () => {
  test('it ends where nothing is listened for', async () => {
    const hub = await scene.hub();
    const connected = listen(hub, 'HOOK_EXECUTION_CANCEL');
    const { ended } = start(scene, 'idle');
    await connected.count(1);
    await hub.close();
    expect(await ended).toEqual([0, null]);
  });
});
