import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { jest } from '@jest/globals';
import { type ConnectionState, MemoryTransport, MessageBus, type Transport } from '@tenterhook/bus';
import { type HandlerConnection, HookEngine, type RemoteHandlers, remoteHandlers } from '@tenterhook/handlers';
import type { MessageOf } from '@tenterhook/protocol';
import { connectToSocket, listenOnSocket } from '@tenterhook/transport-socket';
import { createHooks, type Hooks } from 'tenterhook';
import { until } from '../../support/until.js';
import { type RemoteRig, remoteRig } from './rig.js';

describe('lost connections', () => {
  /** A hub that the test can close, with an agent and an engine as two of its clients. */
  class Scene {
    readonly #folder = mkdtempSync(join(tmpdir(), 'lost-connection-'));
    readonly engine = new HookEngine();
    readonly #clients: { readonly bus: MessageBus; readonly transport: Transport }[] = [];
    #hub: Transport | undefined;

    get path(): string {
      return join(this.#folder, 'hub');
    }

    async openHub(): Promise<Transport> {
      this.#hub = await listenOnSocket({ path: this.path });
      return this.#hub;
    }

    async closeHub(): Promise<void> {
      await this.#hub?.close();
      this.#hub = undefined;
    }

    async client(): Promise<MessageBus> {
      const transport = await connectToSocket({ path: this.path, timeoutMs: 20_000 });
      const bus = new MessageBus({ transport });
      this.#clients.push({ bus, transport });
      return bus;
    }

    async end(): Promise<void> {
      await Promise.all(this.#clients.map(({ bus }) => bus.close()));
      await Promise.all(this.#clients.map(({ transport }) => transport.close()));
      await this.closeHub();
      rmSync(this.#folder, { recursive: true });
    }
  }

  let scene: Scene;
  let agentBus: MessageBus;
  let engineBus: MessageBus;
  let remote: RemoteHandlers;
  let hooks: Hooks;

  beforeEach(async () => {
    scene = new Scene();
    await scene.openHub();
    [agentBus, engineBus] = [await scene.client(), await scene.client()];
    remote = remoteHandlers(agentBus, { accept: () => true });
    hooks = await createHooks({ projectDir: '/', settings: {}, handlers: [remote] });
    scene.engine.register({ id: 'guard', event_type: 'pre_tool_use', config: { onError: 'block' } });
    scene.engine.register_handler('guard', { handle: () => ({ action: 'Block', reason: 'no' }) });
  });

  afterEach(async () => {
    jest.useRealTimers();
    await hooks.dispose();
    await scene.end();
  });

  function connectionIs(bus: MessageBus, wanted: ConnectionState): Promise<void> {
    return new Promise((resolve) => {
      const stop = bus.onConnectionChange((state) => {
        if (state !== wanted) return;
        stop();
        resolve();
      });
    });
  }

  async function loseHub(): Promise<void> {
    const lost = [agentBus, engineBus].map((bus) => connectionIs(bus, 'lost'));
    await scene.closeHub();
    await Promise.all(lost);
  }

  const fire = () => hooks.getEventHandler().fireBeforeToolEvent('Bash', {});

  test('without a connection the engines are absent at once, and with it they are back', async () => {
    scene.engine.connect(engineBus, { name: 'policy' });
    expect(await remote.waitFor('policy', { timeoutMs: 20_000 })).toBe(true);
    await loseHub();
    expect(remote.engines).toMatchObject([{ name: 'policy', isAbsent: true }]);
    expect((await fire()).outcomes).toMatchObject([{ status: 'failed', failedClosed: true, warnings: [{ code: 'handler_absent' }, {}] }]);
    await scene.openHub();
    // The order in which they connect does not matter: no query for the engine is needed.
    await until('the engine is back', () => remote.engines[0]?.isAbsent === false);
    expect((await fire()).verdict).toMatchObject({ kind: 'deny', reason: 'no' });
  });

  test('a farewell that is said without a connection is said again when there is one', async () => {
    const connection = scene.engine.connect(engineBus, { name: 'policy' });
    expect(await remote.waitFor('policy', { timeoutMs: 20_000 })).toBe(true);
    await loseHub();
    connection.disconnect();
    const hubBus = new MessageBus({ transport: await scene.openHub() });
    const farewell = await new Promise<MessageOf<'HOOK_HANDLER_ANNOUNCE'>>((resolve) => {
      hubBus.subscribe('HOOK_HANDLER_ANNOUNCE', (message) => {
        if (message.payload.query !== true) resolve(message);
      });
    });
    expect(farewell.payload).toMatchObject({ engineId: connection.engineId, hooks: [] });
    await hubBus.close();
  });

  test('an engine whose bus was closed publishes nothing more, and listens to nothing', async () => {
    const connection = scene.engine.connect(engineBus, { name: 'policy' });
    expect(await remote.waitFor('policy', { timeoutMs: 20_000 })).toBe(true);
    await engineBus.close();
    const spies = (['publish', 'subscribe', 'respond', 'onConnectionChange'] as const).map((method) => jest.spyOn(engineBus, method));
    // The time between two announcements passes when the test lets it.
    jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'nextTick', 'setImmediate'] });
    let changes = 0;
    scene.engine.changes$.subscribe(() => {
      changes += 1;
    });
    scene.engine.register({ id: 'other', event_type: 'pre_tool_use' });
    // An observer of the events makes every connection of the engine subscribe to the requests of its bus.
    scene.engine.events$.subscribe(() => {}).unsubscribe();
    connection.disconnect();
    jest.runAllTimers();
    await Promise.resolve();
    expect(changes).toBe(1);
    for (const spy of spies) expect(spy).not.toHaveBeenCalled();
  });

  test('an engine lets go of a connection whose bus was closed', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const held = new WeakRef(scene.engine.connect(engineBus, { name: 'policy' }));
    await engineBus.close();
    await until('the connection is collected', () => {
      collect();
      return held.deref() === undefined;
    });
    expect(scene.engine.hook_count()).toBe(1);
  });
});

describe('announcements that arrive before the connection counts as restored', () => {
  /** A transport in memory that reports a lost connection on command. Messages still arrive. */
  class ReportingTransport extends MemoryTransport {
    readonly #listeners = new Set<(state: ConnectionState) => void>();

    onConnectionChange(listener: (state: ConnectionState) => void): () => void {
      this.#listeners.add(listener);
      return () => this.#listeners.delete(listener);
    }

    report(state: ConnectionState): void {
      for (const listener of this.#listeners) listener(state);
    }
  }

  test('do not bring an engine back, because calls still fail', async () => {
    const transport = new ReportingTransport();
    const [agentBus, engineBus] = [new MessageBus({ transport }), new MessageBus({ transport })];
    const remote = remoteHandlers(agentBus, { accept: () => true });
    const engine = new HookEngine();
    engine.register({ id: 'guard', event_type: 'pre_tool_use' });
    engine.connect(engineBus, { name: 'policy' });
    expect(await remote.waitFor('policy')).toBe(true);
    transport.report('lost');
    engine.register({ id: 'second', event_type: 'pre_tool_use' });
    const states = () => remote.engines.map(({ hookIds, isAbsent }) => ({ hookIds, isAbsent }));
    await until('the second hook is announced', () => states()[0]?.hookIds.length === 2);
    expect(states()).toEqual([{ hookIds: ['guard', 'second'], isAbsent: true }]);
    transport.report('restored');
    await until('the engine is back', () => states()[0]?.isAbsent === false);
    await Promise.all([agentBus.close(), engineBus.close()]);
    await transport.close();
  });
});

describe('announcing again', () => {
  let rig: RemoteRig;
  afterEach(() => rig.dispose());

  const circuitBreaker = { failures: 2, windowMs: 2_147_483_647, pauseMs: 2_147_483_647 };

  function hookNames(): string[] {
    return rig.remote.hooksFor('BeforeTool').map(({ name }) => name ?? '');
  }

  async function connected(): Promise<void> {
    rig.engine.connect(rig.engineBus, { name: 'policy' });
    expect(await rig.remote.waitFor('policy')).toBe(true);
  }

  test('one hook more leaves the definitions of the others what they are', async () => {
    rig = await remoteRig();
    for (const id of ['one', 'two']) rig.handle(id, () => undefined);
    await connected();
    const before = rig.remote.hooksFor('BeforeTool');
    rig.handle('three', () => undefined, { priority: 1 });
    await until('the new hook is announced', () => hookNames().length === 3);
    const [three, ...others] = rig.remote.hooksFor('BeforeTool');
    expect(three?.name).toBe('three');
    expect(others).toHaveLength(2);
    for (const [index, definition] of others.entries()) expect(definition).toBe(before[index]);
  });

  test('a hook that was registered anew is another definition', async () => {
    rig = await remoteRig();
    rig.handle('one', () => undefined);
    await connected();
    const [before] = rig.remote.hooksFor('BeforeTool');
    rig.handle('one', () => undefined, { timeout_ms: 77 });
    await until('the change is announced', () => rig.remote.hooksFor('BeforeTool')[0]?.timeoutMs === 77);
    expect(rig.remote.hooksFor('BeforeTool')[0]).not.toBe(before);
  });

  test('the circuit of a hook that keeps failing stays when others come', async () => {
    rig = await remoteRig({ options: { circuitBreaker } });
    const fails = jest.fn(() => Promise.reject(new Error('disk full')));
    rig.handle('fails', fails);
    await connected();
    expect((await rig.fire()).outcomes).toMatchObject([{ status: 'failed' }]);
    rig.handle('second', () => undefined);
    await until('the second hook is announced', () => hookNames().length === 2);
    expect((await rig.fire()).outcomes[0]).toMatchObject({ name: 'fails', status: 'failed' });
    rig.handle('third', () => undefined);
    await until('the third hook is announced', () => hookNames().length === 3);
    expect((await rig.fire()).outcomes[0]).toMatchObject({ name: 'fails', status: 'skipped', skipReason: 'circuit-open' });
    expect(fails).toHaveBeenCalledTimes(2);
  });

  test('an absent engine does not open a circuit', async () => {
    rig = await remoteRig({ options: { circuitBreaker } });
    const hooks = [{ id: 'guard', event_type: 'pre_tool_use' }];
    rig.engineBus.publish({ type: 'HOOK_HANDLER_ANNOUNCE', payload: { engineId: 'gone', hooks } });
    for (let each = 0; each < 5; each += 1) {
      expect((await rig.fire()).outcomes).toMatchObject([{ status: 'failed', warnings: [{ code: 'handler_absent' }] }]);
    }
    // The engine has returned with the same hooks, which run at once.
    rig.engineBus.respond('HOOK_HANDLER_CALL', () => ({ success: true, output: { action: 'Block' } }), { route: 'gone' });
    rig.engineBus.publish({ type: 'HOOK_HANDLER_ANNOUNCE', payload: { engineId: 'gone', hooks } });
    expect((await rig.fire()).verdict.kind).toBe('deny');
  });

  test('hundreds of registrations in as many turns are a few announcements', async () => {
    rig = await remoteRig();
    rig.engine.connect(rig.engineBus, { name: 'policy' });
    let announcements = 0;
    rig.agentBus.subscribe('HOOK_HANDLER_ANNOUNCE', ({ payload }) => {
      if (payload.query !== true) announcements += 1;
    });
    const began = performance.now();
    for (let each = 0; each < 300; each += 1) {
      rig.engine.register({ id: `hook ${each}`, event_type: 'pre_tool_use' });
      await nextTurn();
    }
    await until('the last one is announced', () => hookNames().length === 300);
    // One announcement every 50 ms, in addition to the first and the last.
    expect(announcements).toBeLessThanOrEqual((performance.now() - began) / 50 + 2);
  });

  describe('of two living engines of one name', () => {
    function engineThatSays(reason: string): HookEngine {
      const engine = new HookEngine();
      engine.register({ id: 'guard', event_type: 'pre_tool_use' });
      engine.register_handler('guard', { handle: () => ({ action: 'Block', reason }) });
      return engine;
    }

    async function twoEngines() {
      rig = await remoteRig();
      const older = engineThatSays('older').connect(rig.engineBus, { name: 'policy' });
      expect(await rig.remote.waitFor(older.engineId)).toBe(true);
      const newer = engineThatSays('newer').connect(rig.engineBus, { name: 'policy' });
      expect(await rig.remote.waitFor(newer.engineId)).toBe(true);
      return { older, newer };
    }

    /** Sends a query as another agent would, until each engine has answered. Earlier queries have then been answered, too. */
    async function ask(...engines: readonly HandlerConnection[]): Promise<void> {
      const silent = new Set(engines.map(({ engineId }) => engineId));
      const stop = rig.agentBus.subscribe('HOOK_HANDLER_ANNOUNCE', ({ payload }) => silent.delete(payload.engineId));
      const asking = remoteHandlers(rig.agentBus, { accept: () => true });
      await until('all have answered', () => silent.size === 0);
      asking.close();
      stop();
    }

    test('the newer one stays, however often a query is sent', async () => {
      const { older, newer } = await twoEngines();
      const standing = new Set<string | undefined>();
      // The source was notified before, so this is the state that an event would use.
      rig.agentBus.subscribe('HOOK_HANDLER_ANNOUNCE', () => standing.add(rig.remote.engines[0]?.engineId));
      for (let each = 0; each < 20; each += 1) await ask(older, newer);
      expect([...standing]).toEqual([newer.engineId]);
      expect((await rig.fire()).verdict.reason).toBe('newer');
    });

    test('the older one takes over when the newer one has said goodbye', async () => {
      const { older, newer } = await twoEngines();
      await ask(older, newer);
      newer.disconnect();
      await until('the older one has answered', () => rig.remote.engines[0]?.engineId === older.engineId);
      expect((await rig.fire()).verdict.reason).toBe('older');
    });
  });
});

describe('waiting for an engine', () => {
  let rig: RemoteRig;
  afterEach(() => rig.dispose());

  /** Longer than the timeout of a test: a caller that gets its answer has not waited for it. */
  const forLong = { timeoutMs: 60_000 };

  test('a waiting caller learns at once that nothing more will be heard', async () => {
    rig = await remoteRig();
    const waiting = rig.remote.waitFor('absent', forLong);
    rig.remote.close();
    expect(await waiting).toBe(false);
    expect(await rig.remote.waitFor('absent', forLong)).toBe(false);
  });

  test('who waits gives up with its signal, also with one that has aborted before', async () => {
    rig = await remoteRig();
    const control = new AbortController();
    const waiting = rig.remote.waitFor('absent', { ...forLong, signal: control.signal });
    control.abort();
    expect(await waiting).toBe(false);
    expect(await rig.remote.waitFor('absent', { ...forLong, signal: control.signal })).toBe(false);
  });

  test.each([Number.POSITIVE_INFINITY, Number.NaN, 0, -1, 2 ** 31, '5000'])(
    'a timeoutMs of %p is thrown, and no query is sent',
    async (timeoutMs) => {
      rig = await remoteRig();
      const asked: unknown[] = [];
      rig.engineBus.subscribe('HOOK_HANDLER_ANNOUNCE', (message) => asked.push(message));
      expect(() => rig.remote.waitFor('policy', { timeoutMs: timeoutMs as number })).toThrow(
        new TypeError(
          `timeoutMs must be a number of milliseconds from 1 to 2147483647, and is ${typeof timeoutMs === 'string' ? '"5000"' : timeoutMs}.`,
        ),
      );
      expect(asked).toEqual([]);
    },
  );

  test('an engine that is known and does not answer any more does not count', async () => {
    rig = await remoteRig();
    rig.handle('guard', () => undefined);
    rig.engine.connect(rig.engineBus, { name: 'policy' });
    expect(await rig.remote.waitFor('policy')).toBe(true);
    await rig.engineBus.close();
    // The farewell could not be sent, so the engine is still known.
    expect(rig.remote.engines).toMatchObject([{ name: 'policy', isAbsent: false }]);
    expect(await rig.remote.waitFor('policy', { timeoutMs: 1 })).toBe(false);
  });
});
