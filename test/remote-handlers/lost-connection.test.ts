import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { jest } from '@jest/globals';
import { type ConnectionState, MessageBus, type Transport } from '@tenterhook/bus';
import { HookEngine, type RemoteHandlers, remoteHandlers } from '@tenterhook/handlers';
import type { MessageOf } from '@tenterhook/protocol';
import { connectToSocket, listenOnSocket } from '@tenterhook/transport-socket';
import { createHooks, type Hooks } from 'tenterhook';
import { until } from '../support/until.js';

/** A hub that can go away, with an agent and an engine as two of its clients. */
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
  // Whoever is connected first: nobody has to ask for the engine.
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
  // What waits between two announcements is over when the test says so.
  jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'nextTick', 'setImmediate'] });
  let changes = 0;
  scene.engine.changes$.subscribe(() => {
    changes += 1;
  });
  scene.engine.register({ id: 'other', event_type: 'pre_tool_use' });
  // Observing the events makes every connection that the engine still holds watch the requests of its bus.
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
