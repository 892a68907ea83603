import type { HookEvent, HookEventName } from '@tenterhook/protocol';
import { HookSystem } from '../../src/hook-system.js';
import { answering, fakeDialect, hookOf, sourceOf } from '../engine-rig.js';

const systems: HookSystem[] = [];
afterEach(async () => {
  for (const system of systems.splice(0)) await system.dispose();
});

function systemWith(hooks = [hookOf('a', { matcher: 'write' })]) {
  const seen: HookEvent[] = [];
  let wanted: readonly HookEventName[] = [];
  const observes = (eventName: HookEventName) => wanted.includes(eventName);
  const observe = (event: HookEvent) => {
    seen.push(event);
  };
  const dialect = fakeDialect();
  const source = sourceOf(hooks, { observes, observe });
  const system = new HookSystem({
    projectDir: '/srv/app',
    dialects: [dialect],
    sources: [source],
    executors: [answering({})],
    sessionId: 's1',
  });
  systems.push(system);
  const want = (...names: HookEventName[]) => {
    wanted = names;
  };
  return { system, handler: system.getEventHandler(), seen, want };
}

test('a source sees each event that it observes once and whole, with and without a hook that runs', async () => {
  const { handler, seen, want } = systemWith();
  want('BeforeTool', 'AfterTool');
  await handler.fireBeforeToolEvent('write_file', { path: 'a' });
  await handler.fireBeforeToolEvent('read_file', { path: 'b' });
  await handler.fireAfterToolEvent('read_file', {}, {});
  await handler.fireBeforeAgentEvent('unseen');
  expect(seen.map(({ eventName, input }) => [eventName, input['tool_name'], input['session_id']])).toEqual([
    ['BeforeTool', 'write_file', 's1'],
    ['BeforeTool', 'read_file', 's1'],
    ['AfterTool', 'read_file', 's1'],
  ]);
});

test('without an observer, an event without a hook is answered by the one constant', async () => {
  const { system, handler, seen, want } = systemWith();
  const idle = handler.fireAfterToolEvent('read_file', {}, {});
  expect(handler.fireBeforeAgentEvent('p')).toBe(idle);
  const unmatched = handler.fireBeforeToolEvent('read_file', {});
  expect(handler.fireBeforeToolEvent('read_file', {})).toBe(unmatched);
  want('AfterTool', 'BeforeTool');
  expect(system.has('AfterTool')).toBe(true);
  const observed = [handler.fireAfterToolEvent('read_file', {}, {}), handler.fireBeforeToolEvent('read_file', {})];
  expect(observed[0]).not.toBe(idle);
  expect(observed[1]).not.toBe(unmatched);
  expect(handler.fireBeforeAgentEvent('p')).toBe(idle);
  want();
  expect(system.has('AfterTool')).toBe(false);
  expect(handler.fireAfterToolEvent('read_file', {}, {})).toBe(idle);
  expect(handler.fireBeforeToolEvent('read_file', {})).toBe(unmatched);
  await Promise.all(observed);
  expect(seen).toHaveLength(2);
});

test('an input that is not valid is not an event that anybody sees', async () => {
  const { handler, seen, want } = systemWith();
  want('BeforeTool');
  expect(await handler.fire('BeforeTool', { tool_name: 7 })).toMatchObject({
    success: false,
    errors: [{ code: 'validation_failed' }, { hookId: 'a' }],
  });
  expect(seen).toEqual([]);
});
