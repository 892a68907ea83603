import { type Dialect, type HookDefinition, hookEventNames } from '@tenterhook/protocol';
import { HookPlanner } from '../../src/planner/planner.js';
import type { HookSet } from '../../src/registry/hook-set.js';
import { eventOf, fakeDialect, hookOf } from '../engine-rig.js';

/** A dialect that counts how often it is asked. */
function counting(matchKey?: Dialect['matchKey']) {
  const dialect = fakeDialect();
  let asked = 0;
  return {
    dialect: fakeDialect({
      select: (hook, event) => {
        asked += 1;
        return dialect.select(hook, event);
      },
      ...(matchKey === undefined ? {} : { matchKey }),
    }),
    asked: () => asked,
  };
}
const tool = (tool_name: string, tool_input = {}) => eventOf('BeforeTool', { tool_name, tool_input });
const bySubject: Dialect['matchKey'] = (_eventName, subject) => subject;
const hooks = [hookOf('a', { matcher: 'write' })];

/** A set whose BeforeTool hooks are these. */
function setOf(dialects: readonly Dialect[], own: readonly HookDefinition[] = hooks): HookSet {
  const none = Object.fromEntries(hookEventNames.map((eventName) => [eventName, []]));
  return { dialects, hooks: { ...none, BeforeTool: own } as never, off: none as never, diagnostics: [] };
}

test('one subject is planned once, whatever else the event holds', () => {
  const { dialect, asked } = counting(bySubject);
  const [planner, set] = [new HookPlanner(), setOf([dialect])];
  const plan = planner.plan(set, tool('write_file', { a: 1 }));
  expect(planner.plan(set, tool('write_file', { a: 2 }))).toBe(plan);
  expect(asked()).toBe(1);
});

test('another subject, another event with the same subject, and another set have plans of their own', () => {
  const { dialect } = counting(bySubject);
  const [planner, set] = [new HookPlanner(), setOf([dialect])];
  expect(planner.plan(set, tool('write_file')).stages).toHaveLength(1);
  expect(planner.plan(set, tool('read_file')).stages).toEqual([]);
  expect(planner.plan(set, { ...tool('write_file'), eventName: 'AfterTool' }).order).toEqual([]);
  expect(planner.plan(setOf([dialect], []), tool('write_file')).order).toEqual([]);
});

test('a dialect without a key, or that has none for this event, is asked each time', () => {
  for (const { dialect, asked } of [counting(), counting(() => undefined)]) {
    const [planner, set] = [new HookPlanner(), setOf([dialect])];
    planner.plan(set, tool('write_file'));
    planner.plan(set, tool('write_file'));
    expect(asked()).toBe(2);
  }
});

test('a dialect without hooks of the event has no say in what can be remembered', () => {
  const { dialect, asked } = counting(bySubject);
  const [planner, set] = [new HookPlanner(), setOf([dialect, fakeDialect({ name: 'forgetful' })])];
  planner.plan(set, tool('write_file'));
  planner.plan(set, tool('write_file'));
  expect(asked()).toBe(1);
});

test('nor has one whose hooks are all known not to run', () => {
  const { dialect, asked } = counting(bySubject);
  const skip = { skipReason: 'disabled', reason: 'off' } as const;
  const own = [...hooks, hookOf('off', { dialect: 'forgetful', skip })];
  const [planner, set] = [new HookPlanner(), setOf([dialect, fakeDialect({ name: 'forgetful' })], own)];
  expect(planner.plan(set, tool('write_file')).skipped).toMatchObject([{ hook: { id: 'off' } }]);
  planner.plan(set, tool('write_file'));
  expect(asked()).toBe(1);
});

test('dialects that read different things of an event have one plan for each combination', () => {
  const { dialect, asked } = counting(bySubject);
  const byServer = fakeDialect({ name: 'second', matchKey: (_eventName, _subject, mcp) => mcp?.server_name ?? '' });
  const own = [...hooks, hookOf('b', { dialect: 'second' })];
  const [planner, set] = [new HookPlanner(), setOf([dialect, byServer], own)];
  const on = (tool_name: string, server_name: string) => eventOf('BeforeTool', { tool_name, tool_input: {}, mcp_context: { server_name } });
  const plan = planner.plan(set, on('write_file', 's'));
  expect(planner.plan(set, on('write_file', 's'))).toBe(plan);
  for (const other of [on('write_file', 't'), on('write', 's'), on('["write_file","s"]', '["write_file","s"]')]) {
    expect(planner.plan(set, other)).not.toBe(plan);
  }
  expect(asked()).toBe(4);
});

test('what is remembered is bounded: of 1025 subjects the oldest is planned again', () => {
  const { dialect, asked } = counting(bySubject);
  const [planner, set] = [new HookPlanner(), setOf([dialect])];
  for (let index = 0; index < 1025; index += 1) planner.plan(set, tool(`tool-${index}`));
  planner.plan(set, tool('tool-1024'));
  expect(asked()).toBe(1025);
  planner.plan(set, tool('tool-0'));
  expect(asked()).toBe(1026);
});
