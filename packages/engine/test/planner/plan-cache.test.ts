import type { HookEvent } from '@tenterhook/protocol';
import { PlanCache } from '../../src/planner/plan-cache.js';
import { eventOf, fakeDialect, hookOf } from '../engine-rig.js';

/** A dialect that counts how often it is asked. */
function counting(selectionKey?: (event: HookEvent) => string | undefined) {
  const dialect = fakeDialect();
  let asked = 0;
  return {
    dialect: fakeDialect({
      select: (hook, event) => {
        asked += 1;
        return dialect.select(hook, event);
      },
      ...(selectionKey === undefined ? {} : { selectionKey }),
    }),
    asked: () => asked,
  };
}
const tool = (tool_name: string, tool_input = {}) => eventOf('BeforeTool', { tool_name, tool_input });
const byTool = (event: HookEvent) => String(event.input['tool_name']);
const hooks = [hookOf('a', { matcher: 'write' })];

test('one subject is planned once, whatever else the event holds', () => {
  const { dialect, asked } = counting(byTool);
  const cache = new PlanCache([dialect]);
  const plan = cache.plan(hooks, tool('write_file', { a: 1 }));
  expect(cache.plan(hooks, tool('write_file', { a: 2 }))).toBe(plan);
  expect(asked()).toBe(1);
});

test('another subject, and another event with the same subject, have plans of their own', () => {
  const cache = new PlanCache([counting(byTool).dialect]);
  const plan = cache.plan(hooks, tool('write_file'));
  expect(cache.plan(hooks, tool('read_file')).stages).toEqual([]);
  expect(cache.plan([], { ...tool('write_file'), eventName: 'AfterTool' }).order).toEqual([]);
  expect(plan.stages).toHaveLength(1);
});

test('a dialect without a key, or that has none for this event, is asked each time', () => {
  for (const { dialect, asked } of [counting(), counting(() => undefined)]) {
    const cache = new PlanCache([dialect]);
    cache.plan(hooks, tool('write_file'));
    cache.plan(hooks, tool('write_file'));
    expect(asked()).toBe(2);
  }
});

test('a dialect without hooks of the event has no say in what can be cached', () => {
  const { dialect, asked } = counting(byTool);
  const cache = new PlanCache([dialect, fakeDialect({ name: 'uncacheable' })]);
  cache.plan(hooks, tool('write_file'));
  cache.plan(hooks, tool('write_file'));
  expect(asked()).toBe(1);
});

test('what is remembered is bounded: of 1025 subjects the oldest is planned again', () => {
  const { dialect, asked } = counting(byTool);
  const cache = new PlanCache([dialect]);
  for (let index = 0; index < 1025; index += 1) cache.plan(hooks, tool(`tool-${index}`));
  cache.plan(hooks, tool('tool-1024'));
  expect(asked()).toBe(1025);
  cache.plan(hooks, tool('tool-0'));
  expect(asked()).toBe(1026);
});

test('the result of a plan in which nothing runs is made once', () => {
  const cache = new PlanCache([counting(byTool).dialect]);
  const idle = cache.plan(hooks, tool('read_file'));
  expect(cache.idleResult(idle)).toBe(cache.idleResult(cache.plan(hooks, tool('read_file'))));
  expect(cache.idleResult(idle)).toMatchObject({ success: true, outcomes: [{ skipReason: 'matcher' }] });
});
