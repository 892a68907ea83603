import type { HookDefinition } from '@tenterhook/protocol';
import fc from 'fast-check';
import { keepOneOfEach, planEvent, reselect, selectHook } from '../../src/planner/plan-event.js';
import { fakeDialect, hookOf, toolEvent } from '../engine-rig.js';

const dialect = fakeDialect();
const planned = (...hooks: HookDefinition[]) => planEvent(hooks, [dialect], toolEvent);
const stagesOf = (plan: ReturnType<typeof planEvent>) => plan.stages.map((stage) => stage.hooks.map((hook) => hook.id));
const idsOf = (plan: ReturnType<typeof planEvent>) => plan.order.map((hook) => hook.id);

test('hooks that match are one stage, in their order', () => {
  const plan = planned(hookOf('b'), hookOf('a'));
  expect(stagesOf(plan)).toEqual([['b', 'a']]);
  expect(idsOf(plan)).toEqual(['b', 'a']);
});

test('a sequential hook that takes part makes a stage of each; one that does not match makes none (decision 16a)', () => {
  expect(stagesOf(planned(hookOf('a'), hookOf('b', { sequential: true })))).toEqual([['a'], ['b']]);
  expect(stagesOf(planned(hookOf('a'), hookOf('b'), hookOf('c', { sequential: true, matcher: 'read' })))).toEqual([['a', 'b']]);
});

test('dialects come in the order they are given, whatever the order of the hooks', () => {
  const other = fakeDialect({ name: 'other' });
  const hooks = [hookOf('a'), hookOf('x', { dialect: 'other' }), hookOf('b'), hookOf('y', { dialect: 'other' })];
  expect(stagesOf(planEvent(hooks, [other, dialect], toolEvent))).toEqual([
    ['x', 'y'],
    ['a', 'b'],
  ]);
  expect(idsOf(planEvent(hooks, [dialect, other], toolEvent))).toEqual(['a', 'b', 'x', 'y']);
});

test('the order of a dialect is its own, and holds for those that do not run, too', () => {
  const backwards = fakeDialect({ layOut: (hooks) => [...hooks].reverse().map((hook) => ({ hooks: [hook] })) });
  const plan = planEvent([hookOf('a'), hookOf('b', { matcher: 'read' }), hookOf('c')], [backwards], toolEvent);
  expect(idsOf(plan)).toEqual(['c', 'b', 'a']);
  expect(stagesOf(plan)).toEqual([['c'], ['a']]);
});

test('a hook that does not match is skipped with the reason of its dialect', () => {
  const miss = hookOf('a', { matcher: 'read' });
  expect(planned(miss).skipped).toEqual([{ hook: miss, skipReason: 'matcher', reason: 'it does not match' }]);
});

test('a hook that may match later stays in its stage', () => {
  const unsure = fakeDialect({ select: () => ({ run: false, skipReason: 'condition', reason: 'not yet', reconsider: true }) });
  expect(stagesOf(planEvent([hookOf('a')], [unsure], toolEvent))).toEqual([['a']]);
});

test('a hook that was skipped when it was loaded is not asked about', () => {
  const untrusted = hookOf('a', { skip: { skipReason: 'untrusted', reason: 'not trusted' } });
  const unaskable = fakeDialect({
    select: () => {
      throw new Error('asked');
    },
  });
  expect(planEvent([untrusted], [unaskable], toolEvent).skipped).toEqual([
    { hook: untrusted, skipReason: 'untrusted', reason: 'not trusted' },
  ]);
});

test('a hook whose dialect throws over it runs: leaving a guard out would open what it guards', () => {
  const throwing = fakeDialect({
    select: (hook) => {
      if (hook.id === 'bad') throw new Error('oops');
      return { run: true, reason: 'it matches' };
    },
  });
  const plan = planEvent([hookOf('bad'), hookOf('good')], [throwing], toolEvent);
  expect(stagesOf(plan)).toEqual([['bad', 'good']]);
  expect(selectHook(throwing, hookOf('bad'), toolEvent)).toMatchObject({ run: true, reason: expect.stringContaining('oops') });
});

test('no copy of a hook is dropped in favour of one of which its dialect could not tell whether it runs', () => {
  const throwing = fakeDialect({
    select: (hook) => {
      if (hook.id === 'first') throw new Error('oops');
      return { run: true, reason: 'it matches' };
    },
  });
  const copies = [hookOf('first', { dedupeKey: 'same' }), hookOf('second', { dedupeKey: 'same' })];
  const { stages, skipped } = planEvent(copies, [throwing], toolEvent);
  // The first is the copy of the second, which is sure to run; never the other way round.
  expect(stages.flatMap(({ hooks }) => hooks.map(({ id }) => id))).toEqual(['second']);
  expect(skipped).toMatchObject([{ hook: { id: 'first' }, skipReason: 'duplicate', duplicateOf: 'second' }]);
});

test('a dialect that cannot lay its hooks out loses none of them: they run one after another', () => {
  const throwing = fakeDialect({
    layOut: () => {
      throw new Error('oops');
    },
  });
  const plan = planEvent([hookOf('a'), hookOf('b')], [throwing], toolEvent);
  expect(stagesOf(plan)).toEqual([['a'], ['b']]);
  expect(idsOf(plan)).toEqual(['a', 'b']);
});

test('a duplicate is dropped only in favour of a hook that is sure to run', () => {
  const dialect = fakeDialect({
    select: (hook) =>
      hook.matcher === 'sure' ? { run: true, reason: '' } : { run: false, skipReason: 'condition', reason: '', reconsider: true },
  });
  const copy = (id: string, matcher: string) => hookOf(id, { matcher, dedupeKey: 'k' });
  expect(stagesOf(planEvent([copy('maybe', 'x'), copy('sure', 'sure'), copy('perhaps', 'x')], [dialect], toolEvent))).toEqual([['sure']]);
  expect(stagesOf(planEvent([copy('maybe', 'x'), copy('perhaps', 'x')], [dialect], toolEvent))).toEqual([['maybe', 'perhaps']]);
});

describe('duplicates (decision 22)', () => {
  test('the first stays, and the other names it and its file', () => {
    const plan = planned(hookOf('a', { dedupeKey: 'k', file: '/a.json' }), hookOf('b'), hookOf('c', { dedupeKey: 'k' }));
    expect(stagesOf(plan)).toEqual([['a', 'b']]);
    expect(idsOf(plan)).toEqual(['a', 'b', 'c']);
    expect(plan.skipped).toMatchObject([
      { hook: { id: 'c' }, skipReason: 'duplicate', duplicateOf: 'a', reason: expect.stringContaining('/a.json') },
    ]);
  });

  test.each<[copies: [timeoutMs: number, onError: 'continue' | 'block'][], expected: [timeoutMs: number, onError: 'continue' | 'block']]>([
    // All fail open: with the longest timeout, each would have finished.
    [
      [
        [100, 'continue'],
        [900, 'continue'],
        [500, 'continue'],
      ],
      [900, 'continue'],
    ],
    // The copy that fails closed denies at its deadline, and only at its own.
    [
      [
        [100, 'continue'],
        [900, 'block'],
        [500, 'continue'],
      ],
      [900, 'block'],
    ],
    [
      [
        [900, 'continue'],
        [100, 'block'],
        [500, 'block'],
      ],
      [100, 'block'],
    ],
  ])('of copies %j the kept one is as strict as the strictest by itself: %j', (copies, [timeoutMs, onError]) => {
    const plan = planned(...copies.map(([ms, policy], index) => hookOf(`h${index}`, { dedupeKey: 'k', timeoutMs: ms, onError: policy })));
    expect(plan.stages[0]?.hooks).toEqual([hookOf('h0', { dedupeKey: 'k', timeoutMs, onError, level: 'user' })]);
    expect(plan.skipped.map((entry) => entry.duplicateOf)).toEqual(['h0', 'h0']);
  });

  test('the kept one has the place and the id of the first, and everything else of the highest level', () => {
    const project = hookOf('project', {
      dedupeKey: 'k',
      source: 'project',
      file: '/p.json',
      line: 3,
      dialectData: { matcher: 'write', env: 1 },
    });
    const user = hookOf('user', {
      dedupeKey: 'k',
      source: 'user',
      file: '/u.json',
      description: 'mine',
      dialectData: { matcher: 'write', env: 2 },
    });
    const other = hookOf('other');
    const [kept, next] = planned(project, other, user).stages[0]?.hooks ?? [];
    expect(kept).toMatchObject({ id: 'project', source: 'project', file: '/p.json', line: 3, level: 'user' });
    expect(kept).toMatchObject({ description: 'mine', dialectData: { env: 2 } });
    expect(next).toBe(other);
  });

  test('a copy of a higher level that may turn out to match is not dropped for one of a lower level', () => {
    const unsure = { hook: hookOf('user', { dedupeKey: 'k', source: 'user' }), isSure: false };
    const sure = { hook: hookOf('project', { dedupeKey: 'k', source: 'project' }), isSure: true };
    expect(keepOneOfEach([sure, unsure])).toEqual({ kept: [sure.hook, unsure.hook], dropped: [] });
    const both = keepOneOfEach([
      { ...sure, isSure: false },
      { ...unsure, isSure: true },
    ]);
    expect([both.kept.map(({ id }) => id), both.dropped.map(({ duplicateOf }) => duplicateOf)]).toEqual([['user'], ['user']]);
  });

  test('a copy that does not match the event, or does not run, neither stays nor counts', () => {
    const miss = hookOf('a', { dedupeKey: 'k', matcher: 'read', timeoutMs: 90_000 });
    const untrusted = hookOf('b', { dedupeKey: 'k', skip: { skipReason: 'untrusted', reason: 'r' }, onError: 'block' });
    const plan = planned(miss, untrusted, hookOf('c', { dedupeKey: 'k' }));
    expect(plan.stages[0]?.hooks).toEqual([hookOf('c', { dedupeKey: 'k' })]);
    expect(plan.skipped.map((entry) => entry.skipReason)).toEqual(['matcher', 'untrusted']);
  });

  const keptOf = (hooks: HookDefinition[]) => planEvent(hooks, [fakeDialect()], toolEvent).stages[0]?.hooks[0];

  test('the kept one runs once per session only if all copies do: a copy that always runs must not be lost', () => {
    const copies = (...once: readonly boolean[]) =>
      once.map((isOnce, index) => hookOf(`h${index}`, { dedupeKey: 'k', ...(isOnce ? { once: true as const } : {}) }));
    expect(keptOf(copies(true, true))).toMatchObject({ id: 'h0', once: true });
    expect(keptOf(copies(true, false))).not.toHaveProperty('once');
    expect(keptOf(copies(false, true))).not.toHaveProperty('once');
  });

  test('of a hook and its copy the one that runs may detach itself only if both may', () => {
    const copies = (...may: readonly boolean[]) =>
      may.map((isAllowed, index) => hookOf(`h${index}`, { dedupeKey: 'k', ...(isAllowed ? { mayDetach: true as const } : {}) }));
    expect(keptOf(copies(true, true))).toMatchObject({ id: 'h0', mayDetach: true });
    expect(keptOf(copies(true, false))).not.toHaveProperty('mayDetach');
    expect(keptOf(copies(false, true))).not.toHaveProperty('mayDetach');
  });

  test('hooks without a key, and hooks of two dialects, are never duplicates', () => {
    const other = fakeDialect({ name: 'other' });
    const hooks = [hookOf('a'), hookOf('b'), hookOf('c', { dedupeKey: 'k' }), hookOf('d', { dedupeKey: 'k', dialect: 'other' })];
    expect(planEvent(hooks, [dialect, other], toolEvent).skipped).toEqual([]);
  });
});

const anyHooks = fc
  .array(
    fc.record({
      dialect: fc.constantFrom('fake', 'other'),
      matcher: fc.option(fc.constantFrom('write', 'read'), { nil: undefined }),
      dedupeKey: fc.option(fc.constantFrom('k', 'l'), { nil: undefined }),
      sequential: fc.boolean(),
    }),
  )
  .map((list) =>
    list.map(({ matcher, dedupeKey, ...fields }, index) =>
      hookOf(`h${index}`, { ...fields, ...(matcher === undefined ? {} : { matcher }), ...(dedupeKey === undefined ? {} : { dedupeKey }) }),
    ),
  );
const dialects = [dialect, fakeDialect({ name: 'other' })];

test('the planner is deterministic: equal hooks and events have equal plans', () => {
  fc.assert(
    fc.property(anyHooks, (hooks) => {
      const again = planEvent(structuredClone(hooks), [fakeDialect(), fakeDialect({ name: 'other' })], structuredClone(toolEvent));
      expect(again).toEqual(planEvent(hooks, dialects, toolEvent));
    }),
  );
});

test('every hook is in the order once, and either in one stage or among the skipped', () => {
  fc.assert(
    fc.property(anyHooks, (hooks) => {
      const plan = planEvent(hooks, dialects, toolEvent);
      const ids = hooks.map((hook) => hook.id).sort();
      expect(idsOf(plan).sort()).toEqual(ids);
      expect([...stagesOf(plan).flat(), ...plan.skipped.map((entry) => entry.hook.id)].sort()).toEqual(ids);
      const running = stagesOf(plan).flat();
      expect(idsOf(plan).filter((id) => running.includes(id))).toEqual(running);
    }),
  );
});

test('a hook that its dialect leaves out runs last, and one that it names twice runs once', () => {
  const careless = fakeDialect({
    layOut: ([first]) => [{ hooks: [first as HookDefinition, hookOf('made up')] }, { hooks: [first as HookDefinition] }],
  });
  const plan = planEvent([hookOf('a'), hookOf('b'), hookOf('c')], [careless], toolEvent);
  expect(stagesOf(plan)).toEqual([['a'], ['b'], ['c']]);
  expect(idsOf(plan)).toEqual(['a', 'b', 'c']);
});

test('before its stage a hook is asked about both inputs, and a match on either runs it', () => {
  const rewritten = { ...toolEvent, input: { ...toolEvent.input, tool_name: 'read_file' } };
  const [onOriginal, onCurrent, onNeither] = ['write', 'read', 'list'].map((matcher) => hookOf(matcher, { matcher }));
  expect(reselect(dialect, onOriginal as HookDefinition, toolEvent, rewritten).run).toBe(true);
  expect(reselect(dialect, onCurrent as HookDefinition, toolEvent, rewritten).run).toBe(true);
  expect(reselect(dialect, onNeither as HookDefinition, toolEvent, rewritten).run).toBe(false);
});
