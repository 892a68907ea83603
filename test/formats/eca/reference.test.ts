import type { HookEventName } from '@tenterhook/protocol';
import { callShell, deeds, fireShell, hookOf, preToolCall, seen, withEca } from './eca-hooks.js';

/** Rules of the public reference that no other test of this folder is about. `reference.json` lists all rules, each with its test. */

test('a matcher that is an object is an error, and its hook does not run', async () => {
  const matcher = { eca__shell_command: { argsMatchers: { command: ['rm .*'] } } };
  await withEca({ guard: preToolCall('exit 2', { matcher }) }, async ({ hooks, handler }) => {
    expect(hooks.diagnostics).toMatchObject([{ code: 'invalid_matcher', severity: 'error' }]);
    expect((await callShell(handler)).verdict.kind).toBe('none');
  });
});

test('the description of a hook changes nothing', async () => {
  expect(deeds(await fireShell({ guard: preToolCall('exit 2', { description: 'No shell.' }) }))).toEqual([['guard', 'blocked']]);
});

test.each(['subagentStart', 'subagentPostRequest', 'preCompact', 'postCompact', 'chatStatusChanged'])(
  'the type %s is an error, and the other hooks run',
  async (type) => {
    await withEca({ guard: preToolCall('exit 2'), other: hookOf(type, 'true') }, async ({ hooks, handler }) => {
      expect(hooks.diagnostics).toMatchObject([{ severity: 'error' }]);
      expect((await callShell(handler)).verdict.kind).toBe('deny');
    });
  },
);

test.each<[string, HookEventName, object]>([
  ['preToolCall', 'BeforeTool', { tool_name: 'run_shell_command', tool_input: { command: 'ls' }, tool_use_id: 'c1' }],
  ['postRequest', 'AfterAgent', { prompt: 'p', prompt_response: 'r', stop_hook_active: false }],
])('a %s hook reads none of the fields of later versions', async (type, eventName, input) => {
  await withEca({ log: hookOf(type, 'cat > seen.json') }, async (scene) => {
    await scene.handler.fire(eventName, input as Record<string, unknown>);
    const later = ['cwd', 'session_id', 'eca_executable', 'full_model', 'variant', 'tool_call_id', 'follow_up_active'];
    expect(Object.keys(seen(scene)).filter((field) => later.includes(field))).toEqual([]);
  });
});

test('ECA_EXECUTABLE is not set', async () => {
  await withEca({ log: preToolCall('printenv ECA_EXECUTABLE > variable || echo none > variable') }, async ({ handler, read }) => {
    await callShell(handler);
    expect(read('variable')).toBe('none\n');
  });
});
