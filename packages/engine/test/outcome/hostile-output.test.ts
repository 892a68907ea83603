import type { HookOutput } from '@tenterhook/protocol';
import { HookSystem } from '../../src/hook-system.js';
import { answering, FakeExecutor, fakeDialect, hookOf, sourceOf } from '../engine-rig.js';

function systemOf(output: Readonly<Record<string, unknown>>, hooks = [hookOf('a')]) {
  return new HookSystem({
    projectDir: '/srv/app',
    dialects: [fakeDialect()],
    sources: [sourceOf(hooks)],
    executors: [answering({ a: output as HookOutput })],
  });
}

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('a hook that rewrites "%s" reaches no prototype', async (key) => {
  const toolInput = JSON.parse(`{ ${JSON.stringify(key)}: { "evil": 1 }, "path": "b" }`) as Record<string, unknown>;
  const system = systemOf({ hookSpecificOutput: { tool_input: toolInput, [key]: 1 }, decision: 'allow' });
  const result = await system.getEventHandler().fireBeforeToolEvent('write_file', { path: 'a' });
  expect(Object.isFrozen(Object.prototype)).toBe(false);
  expect(({} as Record<string, unknown>)['evil']).toBeUndefined();
  expect(result.changes.filter((change) => typeof change.before === 'function' || change.before === Object.prototype)).toEqual([]);
  expect(JSON.parse(JSON.stringify(result.changes))).toEqual(result.changes);
  expect(result.verdict.kind).toBe('allow');
  await system.dispose();
});

test('a hook cannot take the place of a method of the merged output', async () => {
  const system = systemOf({
    decision: 'deny',
    reason: 'no',
    isBlockingDecision: false,
    getModifiedToolInput: 5,
    toString: 1,
    note: 'kept',
  });
  const { finalOutput } = await system.getEventHandler().fireBeforeToolEvent('write_file', {});
  expect(finalOutput?.isBlockingDecision()).toBe(true);
  expect(finalOutput?.getEffectiveReason()).toBe('no');
  expect(finalOutput).toMatchObject({ note: 'kept' });
  await system.dispose();
});

test.each([
  ['null', null],
  ['a text', 'x'],
  ['a list', []],
  ['a number in place of a field', { tool_name: 5, tool_input: {} }],
  [
    'a getter that throws',
    Object.defineProperty({}, 'tool_name', {
      enumerable: true,
      get: () => {
        throw new Error('oops');
      },
    }),
  ],
  ['an object that is not an object as JSON', { toJSON: () => null }],
  ['an input of 50,000 levels', { tool_name: 't', tool_input: nested(50_000) }],
] as const)('fire never rejects for %s, and a guard that could not be asked denies', async (_, input) => {
  const executor = new FakeExecutor();
  const system = new HookSystem({
    projectDir: '/srv/app',
    dialects: [fakeDialect()],
    sources: [sourceOf([hookOf('guard', { onError: 'block' })])],
    executors: [executor],
  });
  const result = await system.getEventHandler().fire('BeforeTool', input as never);
  expect(result).toMatchObject({ success: false, verdict: { kind: 'deny', by: ['guard'] } });
  expect(['invalid_request', 'validation_failed']).toContain(result.errors[0]?.code);
  expect(executor.started).toEqual([]);
  await system.dispose();
});

test.each([0, -1, Number.NaN, 3e9])('fire never rejects for a timeoutMs of %p', async (timeoutMs) => {
  const system = systemOf({});
  const result = await system.getEventHandler().fireBeforeToolEvent('t', {}, undefined, { timeoutMs });
  expect(result.errors).toMatchObject([{ code: 'invalid_request' }, { code: 'not_started' }]);
  await system.dispose();
});

test('a field that is missing or of the wrong type is described in words', async () => {
  const system = systemOf({});
  const result = await system.getEventHandler().fire('BeforeTool', { tool_name: 5 });
  expect(result.errors[0]?.message).toContain('tool_name: It is a number, and must be a string.');
  expect(result.errors[0]?.message).toContain('tool_input: It is missing, and must be an object.');
  await system.dispose();
});

function nested(levels: number): object {
  let value: object = {};
  for (let level = 0; level < levels; level += 1) value = { value };
  return value;
}
