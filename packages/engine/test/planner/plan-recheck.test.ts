import type { HookDefinition, HookExecutor, HookOutput } from '@tenterhook/protocol';
import { HookSystem } from '../../src/hook-system.js';
import { fakeDialect, hookOf, sourceOf } from '../engine-rig.js';

/** What a hook is for, and what it answers. */
interface Behavior {
  readonly fits?: string;
  readonly answer?: HookOutput;
}

/** Hooks in parallel, each for all inputs or for those with one path. The answer is that of the copy whose settings run. */
const dialect = fakeDialect({
  select: ({ dialectData }, { input }) => {
    const { fits } = dialectData as Behavior;
    if (fits === undefined || fits === (input['tool_input'] as { path: string }).path) return { run: true, reason: 'it fits' };
    return { run: false, skipReason: 'condition', reason: 'it does not fit', reconsider: true };
  },
});
const executor: HookExecutor = {
  kind: 'call',
  run: async (_invocation, { dialectData }, _event, { onStart }) => {
    onStart();
    return { kind: 'answered', answer: (dialectData as Behavior).answer, durationMs: 0 };
  },
};

async function fire(...hooks: HookDefinition[]) {
  const system = new HookSystem({ projectDir: '/srv/app', dialects: [dialect], sources: [sourceOf(hooks)], executors: [executor] });
  try {
    return await system.fire('BeforeTool', { tool_name: 'write_file', tool_input: { path: 'a' } });
  } finally {
    await system.dispose();
  }
}

const rewrites: HookOutput = { hookSpecificOutput: { tool_input: { path: 'secret' } } };
const denies: HookOutput = { decision: 'deny', reason: 'no secrets' };
const ask = (id: string, fields: Partial<HookDefinition>, behavior: Behavior) => hookOf(id, { ...fields, dialectData: behavior });

test('a copy of a lower level that wrote the input does not vouch for the hook of the higher level, which has its id', async () => {
  const copy = ask('guard', { source: 'project', dedupeKey: 'guard' }, { answer: rewrites });
  const own = ask('guard of the user', { source: 'user', dedupeKey: 'guard' }, { fits: 'secret', answer: denies });
  const { verdict, outcomes } = await fire(copy, own);
  expect(outcomes.map(({ hookId, level, status, recheck }) => [hookId, level, status, recheck])).toEqual([
    ['guard', 'project', 'succeeded', undefined],
    ['guard of the user', 'user', 'skipped', undefined],
    ['guard', 'user', 'blocked', true],
  ]);
  expect(verdict).toMatchObject({ kind: 'deny', reason: 'no secrets' });
});

test('an allow of a copy of a lower level is not confirmed by the hook of the higher level', async () => {
  const copy = ask('guard', { source: 'project', dedupeKey: 'guard' }, { answer: { decision: 'allow' } });
  const own = ask('guard of the user', { source: 'user', dedupeKey: 'guard' }, { fits: 'secret', answer: { decision: 'allow' } });
  const { verdict, outcomes } = await fire(copy, own, ask('rewrites', { source: 'project' }, { answer: rewrites }));
  expect(outcomes.filter(({ allowIgnored }) => allowIgnored).map(({ level, recheck }) => [level, recheck])).toEqual([
    ['project', undefined],
    ['user', true],
  ]);
  expect(verdict.kind).not.toBe('allow');
});

test('a hook that wrote the input itself is not asked again, whatever its level', async () => {
  for (const source of ['project', 'user', 'managed']) {
    const { outcomes } = await fire(ask('rewrites', { source }, { answer: rewrites }), ask('b', {}, {}));
    expect(outcomes.map(({ hookId, recheck }) => [hookId, recheck])).toEqual([
      ['rewrites', undefined],
      ['b', undefined],
      ['b', true],
    ]);
  }
});
