import { setImmediate as nextTurn } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { type HandlerConnection, HookEngine, remoteHandlers } from '@tenterhook/handlers';
import { until } from '../support/until.js';
import { type RemoteRig, remoteRig } from './rig.js';

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

test('that nobody is there does not open a circuit', async () => {
  rig = await remoteRig({ options: { circuitBreaker } });
  const hooks = [{ id: 'guard', event_type: 'pre_tool_use' }];
  rig.engineBus.publish({ type: 'HOOK_HANDLER_ANNOUNCE', payload: { engineId: 'gone', hooks } });
  for (let each = 0; each < 5; each += 1) {
    expect((await rig.fire()).outcomes).toMatchObject([{ status: 'failed', warnings: [{ code: 'handler_absent' }] }]);
  }
  // Back again, with the same hooks: they run at once.
  rig.engineBus.respond('HOOK_HANDLER_CALL', () => ({ success: true, output: { action: 'Block' } }), { route: 'gone' });
  rig.engineBus.publish({ type: 'HOOK_HANDLER_ANNOUNCE', payload: { engineId: 'gone', hooks } });
  expect((await rig.fire()).verdict.kind).toBe('deny');
});

test('a thousand registrations in as many turns are a few announcements', async () => {
  rig = await remoteRig();
  rig.engine.connect(rig.engineBus, { name: 'policy' });
  let announcements = 0;
  rig.agentBus.subscribe('HOOK_HANDLER_ANNOUNCE', ({ payload }) => {
    if (payload.query !== true) announcements += 1;
  });
  for (let each = 0; each < 1000; each += 1) {
    rig.engine.register({ id: `hook ${each}`, event_type: 'pre_tool_use' });
    await nextTurn();
  }
  await until('the last one is announced', () => hookNames().length === 1000);
  // One each 50 ms: a hundred would be five seconds.
  expect(announcements).toBeLessThan(100);
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

  /** Asks as another agent would, until each of them has answered: nothing that was asked before is still to be answered then. */
  async function ask(...engines: readonly HandlerConnection[]): Promise<void> {
    const silent = new Set(engines.map(({ engineId }) => engineId));
    const stop = rig.agentBus.subscribe('HOOK_HANDLER_ANNOUNCE', ({ payload }) => silent.delete(payload.engineId));
    const asking = remoteHandlers(rig.agentBus, { accept: () => true });
    await until('all have answered', () => silent.size === 0);
    asking.close();
    stop();
  }

  test('the newer one stays, however often somebody asks who is there', async () => {
    const { older, newer } = await twoEngines();
    const standing = new Set<string | undefined>();
    // The source was told before: what stands now is what an event would meet.
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
