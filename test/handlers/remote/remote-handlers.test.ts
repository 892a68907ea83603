import { HookEngine, HookMatcher, remoteHandlers } from '@tenterhook/handlers';
import type { MessageOf } from '@tenterhook/protocol';
import { until } from '../../support/until.js';
import { type RemoteRig, remoteRig } from './rig.js';

let rig: RemoteRig;
afterEach(() => rig.dispose());

test('a handler elsewhere blocks, rewrites and retries like one that is here', async () => {
  rig = await remoteRig();
  rig.handle('rewrite', ({ payload }) => ({ action: 'Continue', modified: { ...(payload['args'] as object), timeout: 1 } }), {
    priority: 1,
  });
  let calls = 0;
  rig.handle(
    'flaky',
    () => {
      calls += 1;
      if (calls === 1) throw new Error('not yet');
      return undefined;
    },
    { priority: 2, max_retries: 1 },
  );
  rig.handle('guard', ({ payload }) => ({ action: 'Block', reason: JSON.stringify(payload['args']) }), { priority: 3 });
  rig.engine.connect(rig.engineBus, { name: 'policy' });
  expect(await rig.remote.waitFor('policy')).toBe(true);
  const result = await rig.fire();
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: '{"command":"ls","timeout":1}', by: ['handlers/handler/BeforeTool/guard'] });
  expect(result.outcomes.map(({ name, status }) => [name, status])).toEqual([
    ['rewrite', 'succeeded'],
    ['flaky', 'succeeded'],
    ['guard', 'blocked'],
  ]);
  expect(result.outcomes[1]?.warnings).toMatchObject([{ code: 'hook_failed' }]);
});

test('matching happens at the agent: nothing is sent to a handler that would not run', async () => {
  rig = await remoteRig();
  const calls: MessageOf<'HOOK_HANDLER_CALL'>[] = [];
  rig.engineBus.subscribe('HOOK_HANDLER_CALL', (message) => calls.push(message));
  rig.engine.register({ id: 'rm', event_type: 'pre_tool_use', matcher: HookMatcher.command('rm') });
  rig.engine.register_handler('rm', { handle: () => ({ action: 'Block' }) });
  rig.engine.connect(rig.engineBus, { name: 'policy' });
  await rig.remote.waitFor('policy');
  expect(await rig.fire()).toMatchObject({ verdict: { kind: 'none' }, outcomes: [{ status: 'skipped', skipReason: 'matcher' }] });
  expect(calls).toEqual([]);
  expect(await rig.fire({ command: 'rm x' })).toMatchObject({ verdict: { kind: 'deny', reason: 'Blocked' } });
  expect(calls).toHaveLength(1);
});

test('what is registered, replaced and taken away later is announced', async () => {
  rig = await remoteRig();
  const connection = rig.engine.connect(rig.engineBus, { name: 'policy' });
  rig.handle('guard', () => ({ action: 'Block' }));
  await rig.remote.waitFor('policy');
  expect((await rig.fire()).verdict.kind).toBe('deny');
  const announced = async (isThere: boolean) => {
    await until('the change is announced', () => (rig.hooks.explain('BeforeTool').hooks[0]?.skipReason === undefined) === isThere);
  };
  rig.engine.unregister_handler('guard');
  await announced(false);
  expect((await rig.fire()).outcomes).toMatchObject([{ status: 'skipped', skipReason: 'no-handler' }]);
  rig.engine.register_handler('guard', { handle: () => ({ action: 'Block' }) });
  await announced(true);
  expect((await rig.fire()).verdict.kind).toBe('deny');
  connection.disconnect();
  expect((await rig.fire()).outcomes).toEqual([]);
  expect(rig.hooks.has('BeforeTool')).toBe(false);
  expect(rig.remote.engines).toEqual([]);
});

test('an agent that comes later asks who is there', async () => {
  rig = await remoteRig();
  rig.handle('guard', () => ({ action: 'Block' }));
  rig.engine.connect(rig.engineBus, { name: 'policy' });
  const later = remoteHandlers(rig.agentBus, { accept: () => true });
  expect(await later.waitFor('policy')).toBe(true);
  expect(later.engines).toMatchObject([{ name: 'policy', isAbsent: false, hookIds: ['guard'] }]);
  later.close();
});

test('only accepted engines take part, and the diagnostics report the others', async () => {
  const asked: unknown[] = [];
  rig = await remoteRig({
    accept: (engine) => {
      asked.push(engine);
      if (engine.name === 'broken') throw new Error('bug');
      return engine.name === 'policy';
    },
  });
  rig.handle('guard', () => ({ action: 'Block' }));
  rig.engine.connect(rig.engineBus, { name: 'stranger' });
  rig.engine.connect(rig.engineBus, { name: 'broken' });
  await Promise.resolve();
  await Promise.resolve();
  expect((await rig.fire()).outcomes).toEqual([]);
  expect(rig.hooks.diagnostics).toMatchObject([{ code: 'unaccepted_handlers' }, { code: 'unaccepted_handlers' }]);
  rig.engine.connect(rig.engineBus, { name: 'policy' });
  expect(await rig.remote.waitFor('policy')).toBe(true);
  expect((await rig.fire()).verdict.kind).toBe('deny');
  expect(asked[0]).toMatchObject({ name: 'stranger', hooks: [{ id: 'guard', event_type: 'pre_tool_use' }] });
  expect(() => remoteHandlers(rig.agentBus, {} as never)).toThrow(/needs \{ accept \}/);
});

test('a bad hook in an announcement is a diagnostic, and its siblings take part', async () => {
  rig = await remoteRig();
  rig.engineBus.respond('HOOK_HANDLER_CALL', () => ({ success: true, output: { action: 'block', reason: 'no' } }), { route: 'x' });
  const good = { id: 'good', event_type: 'pre_tool_use' };
  const bad = [
    { id: 'bad', event_type: 'pre_tool_use', matcher: { command_pattern: '(' } },
    { id: 'odd', event_type: 'nothing' },
  ];
  rig.engineBus.publish({ type: 'HOOK_HANDLER_ANNOUNCE', payload: { engineId: 'x', hooks: [...bad, good] } });
  expect((await rig.fire()).verdict).toMatchObject({ kind: 'deny', reason: 'no' });
  expect(rig.hooks.diagnostics).toMatchObject([
    { code: 'invalid_hook', message: expect.stringContaining('"odd"') },
    { code: 'invalid_hook', message: expect.stringContaining('"bad"') },
  ]);
});

test('an engine that connects under a known name takes the place of the one before', async () => {
  rig = await remoteRig();
  rig.handle('guard', () => ({ action: 'Block', reason: 'old' }));
  const old = rig.engine.connect(rig.engineBus, { name: 'policy' });
  await rig.remote.waitFor('policy');
  const next = new HookEngine();
  next.register({ id: 'guard', event_type: 'pre_tool_use' });
  next.register_handler('guard', { handle: () => ({ action: 'Block', reason: 'new' }) });
  next.connect(rig.engineBus, { name: 'policy' });
  await Promise.resolve();
  expect((await rig.fire()).verdict.reason).toBe('new');
  // The farewell of the old engine does not affect the one that replaced it.
  old.disconnect();
  expect((await rig.fire()).verdict.reason).toBe('new');
});

test('what a handler throws, and what is not an answer, is a failed outcome, here as there', async () => {
  rig = await remoteRig();
  rig.handle('throws', () => {
    throw new Error('boom');
  });
  rig.handle('nonsense', () => 7);
  rig.handle('function', () => () => {});
  rig.handle('circle', () => {
    const circle: Record<string, unknown> = { action: 'Continue' };
    circle['self'] = circle;
    return circle;
  });
  rig.engine.connect(rig.engineBus, { name: 'policy' });
  await rig.remote.waitFor('policy');
  const { outcomes, verdict } = await rig.fire();
  expect(outcomes.map(({ status, warnings }) => [status, warnings[0]?.code])).toEqual(Array(4).fill(['failed', 'hook_failed']));
  expect(outcomes[0]?.warnings[0]?.message).toContain('boom');
  expect(verdict.kind).toBe('none');
  expect(rig.remote.engines[0]?.isAbsent).toBe(false);
});

test('a cancelled event aborts the signal of the handler elsewhere', async () => {
  rig = await remoteRig();
  const control = new AbortController();
  const aborted = new Promise((resolve) => {
    rig.handle('slow', (_event, { signal }) => {
      signal.addEventListener('abort', () => resolve(true));
      control.abort();
      return new Promise(() => {});
    });
  });
  rig.engine.connect(rig.engineBus, { name: 'policy' });
  await rig.remote.waitFor('policy');
  const result = await rig.hooks.getEventHandler().fireBeforeToolEvent('Bash', {}, undefined, { signal: control.signal });
  expect(result).toMatchObject({ success: false, errors: [{ code: 'cancelled' }, { code: 'cancelled' }] });
  expect(await aborted).toBe(true);
  expect(rig.remote.engines[0]?.isAbsent).toBe(false);
});
