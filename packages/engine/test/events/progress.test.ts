import type { HookDefinition, HookExecutionProgress, HookExecutor } from '@tenterhook/protocol';
import { channelPayloadSchemas } from '@tenterhook/protocol/internal';
import { HookSystem } from '../../src/hook-system.js';
import { answering, FakeExecutor, fakeDialect, hookOf, sourceOf } from '../engine-rig.js';

/** A system, the messages of its watchers, and a tool event for its hooks. */
function systemOf(hooks: readonly HookDefinition[], executor: HookExecutor) {
  const system = new HookSystem({
    projectDir: '/srv/app',
    sessionId: 's1',
    dialects: [fakeDialect()],
    sources: [sourceOf(hooks)],
    executors: [executor],
  });
  const progress: HookExecutionProgress[] = [];
  system.bus.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload }) => progress.push(payload));
  return { system, progress, fire: () => system.getEventHandler().fireBeforeToolEvent('write_file', { path: 'a.txt' }) };
}

test('a hook that asks not to be shown is marked in every message about its run, and nothing else differs', async () => {
  const deny = { decision: 'deny' as const, reason: 'no' };
  const { system, progress, fire } = systemOf([hookOf('a', { hidden: true, sequential: true }), hookOf('b')], answering({ a: deny }));
  const result = await fire();
  expect(progress).toMatchObject([
    { kind: 'planned', stages: [[{ hookId: 'a', hidden: true }], [{ hookId: 'b' }]] },
    { kind: 'hook-started', hookId: 'a', hidden: true },
    { kind: 'hook-finished', hookId: 'a', hidden: true, outcome: { status: 'blocked' } },
    { kind: 'hook-skipped', hookId: 'b' },
  ]);
  expect(JSON.stringify(progress).match(/"hidden"/g)).toHaveLength(3);
  expect(progress.map((message) => channelPayloadSchemas.HOOK_EXECUTION_PROGRESS.parse(message))).toEqual(progress);
  expect(result).toMatchObject({ verdict: { kind: 'deny', by: ['a'] }, outcomes: [{ hookId: 'a' }, { hookId: 'b' }] });
  expect(JSON.stringify(result)).not.toContain('hidden');
  await system.dispose();
});

test('the message of a hook that ended in time has nothing of what it answered, which is in the response', async () => {
  const { system, progress, fire } = systemOf([hookOf('a')], answering({ a: { decision: 'deny', reason: 'no' } }));
  const { outcomes } = await fire();
  expect(outcomes[0]).toMatchObject({ output: { reason: 'no' } });
  const finished = progress.find(({ kind }) => kind === 'hook-finished') as { outcome: object };
  for (const part of ['output', 'stdout', 'stderr']) expect(finished.outcome).not.toHaveProperty(part);
  await system.dispose();
});

test('the plan has the fields that the service has set, because a request does not have them', async () => {
  const { system, progress, fire } = systemOf([hookOf('a')], answering({}));
  await fire();
  const [planned] = progress as { base?: object }[];
  expect(planned?.base).toEqual({ session_id: 's1', cwd: '/srv/app', timestamp: expect.stringMatching(/^20.*Z$/) });
  await system.dispose();
});

test('a hook that is shown says nothing of it', async () => {
  const { system, progress, fire } = systemOf([hookOf('a')], answering({}));
  await fire();
  expect(progress.map(({ kind }) => kind)).toEqual(['planned', 'hook-started', 'hook-finished']);
  expect(JSON.stringify(progress)).not.toContain('hidden');
  await system.dispose();
});

test('an async hook that asks not to be shown is hidden when it ends late, too', async () => {
  const executor = new FakeExecutor();
  const { system, progress, fire } = systemOf([hookOf('a', { hidden: true, async: true })], executor);
  const ended = new Promise<void>((resolve) => {
    system.bus.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload }) => {
      if (payload.kind === 'hook-finished') resolve();
    });
  });
  await fire();
  (await executor.next()).answer();
  await ended;
  expect(progress.at(-1)).toMatchObject({ kind: 'hook-finished', hookId: 'a', late: true, hidden: true });
  await system.dispose();
});
