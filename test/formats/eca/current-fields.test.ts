import { eca } from '@tenterhook/dialects';
import type { HookEventName } from '@tenterhook/protocol';
import { outcomeAt, says, warningCodes } from '../../support/fire-hooks.js';
import { contextOf, deeds, firePrompt, hookOf, preToolCall, seen, withEca } from './eca-hooks.js';

/** Types and fields that ECA's format has besides the first eight types. */

type Moment = readonly [type: string, eventName: HookEventName, input: Record<string, unknown>];

const preCompact: Moment = ['preCompact', 'PreCompress', { trigger: 'manual' }];
const postCompact: Moment = ['postCompact', 'PostCompress', { trigger: 'auto', compact_summary: 'The notes are tidy.' }];
const subagentStart: Moment = ['subagentStart', 'SubagentStart', { agent_id: 'sub-1', agent_type: 'explore' }];

test.each([
  [...preCompact, { triggered: 'manual', custom_instructions: '', chat_id: 's1' }],
  [
    'preCompact',
    'PreCompress',
    { trigger: 'auto', custom_instructions: 'keep names' },
    { triggered: 'auto', custom_instructions: 'keep names' },
  ],
  [...postCompact, { triggered: 'auto', compact_summary: 'The notes are tidy.', chat_id: 's1' }],
  [...subagentStart, { chat_id: 'sub-1', parent_chat_id: 's1', agent: 'explore', behavior: 'explore' }],
  ['preToolCall', 'BeforeTool', { tool_name: 'read_file', tool_input: {}, tool_use_id: 'c1' }, { tool_call_id: 'c1' }],
  ['postToolCall', 'AfterTool', { tool_name: 'x', tool_input: {}, tool_response: {}, tool_use_id: 'c1' }, { tool_call_id: 'c1' }],
  ['chatStart', 'SessionStart', { source: 'startup', model_provider: 'acme', model_name: 'large' }, { full_model: 'acme/large' }],
  ['preRequest', 'BeforeAgent', { prompt: 'p', full_model: 'acme/small', variant: 'fast' }, { full_model: 'acme/small', variant: 'fast' }],
] as const)('what a %s hook receives on %s %j', async (type, eventName, input, expected) => {
  await withEca({ spy: hookOf(type, 'cat > seen.json') }, async (scene) => {
    await scene.handler.fire(eventName, input);
    expect(seen(scene)).toMatchObject({ hook_type: type, ...expected });
  });
});

test.each(['sessionStart', 'preRequest', 'preToolCall'])('cwd and session_id of a %s hook', async (type) => {
  const moments = {
    sessionStart: ['HostStart', {}],
    preRequest: ['BeforeAgent', { prompt: 'p' }],
    preToolCall: ['BeforeTool', { tool_name: 'x', tool_input: {} }],
  } as const;
  const [eventName, input] = moments[type as keyof typeof moments];
  await withEca({ spy: hookOf(type, 'cat > seen.json; pwd > where') }, async (scene) => {
    await scene.handler.fire(eventName, input);
    expect(seen(scene)).toMatchObject({ cwd: scene.projectDir, session_id: 's1' });
    expect(scene.read('where')).toBe(`${scene.projectDir}\n`);
  });
});

test('the option executable reaches a hook on stdin and in its environment, and the cache file gives the session id', async () => {
  const dialects = [eca({ executable: '/opt/agent run', dbCachePath: '/var/cache/eca/app_1f/db.transit.json' })];
  await withEca(
    { spy: hookOf('preRequest', 'cat > seen.json; echo "$ECA_EXECUTABLE" > variable') },
    async (scene) => {
      await scene.handler.fireBeforeAgentEvent('p');
      expect(seen(scene)).toMatchObject({ eca_executable: '/opt/agent run', session_id: 'app_1f' });
      expect(scene.read('variable')).toBe('/opt/agent run\n');
    },
    { dialects },
  );
});

test('without the option there is no variable', async () => {
  await withEca({ spy: hookOf('preRequest', 'printenv ECA_EXECUTABLE || echo unset') }, async ({ handler }) => {
    expect(contextOf(await handler.fireBeforeAgentEvent('p'))).toBe('unset');
  });
});

test.each([
  ['manual', 'manual', 'succeeded'],
  ['auto', 'manual', 'skipped'],
  ['auto', 'auto', 'succeeded'],
  [undefined, 'auto', 'succeeded'],
])('a preCompact hook with the matcher %s on a compaction that is %s: %s', async (matcher, trigger, status) => {
  await withEca({ a: hookOf('preCompact', 'true', { matcher }) }, async ({ handler }) => {
    expect(outcomeAt(await handler.fire('PreCompress', { trigger }), 0).status).toBe(status);
  });
});

test.each([
  ['Manual', 'unmatched_matcher', 'warning'],
  ['.*', 'unmatched_matcher', 'warning'],
  [{ manual: {} }, 'invalid_matcher', 'error'],
])('the matcher %j of a postCompact hook: %s', async (matcher, code, severity) => {
  await withEca({ a: hookOf('postCompact', 'true', { matcher }) }, async ({ hooks }) => {
    expect(hooks.diagnostics).toMatchObject([{ code, severity, path: 'hooks.a.matcher' }]);
  });
});

test('exit code 2 of a preCompact hook is in the verdict, and the reason is stderr', async () => {
  await withEca({ a: hookOf('preCompact', 'echo not now >&2; exit 2'), b: hookOf('preCompact', 'true') }, async ({ handler }) => {
    const result = await handler.fire('PreCompress', { trigger: 'auto' });
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'not now' });
    expect(deeds(result)[1]).toEqual(['b', 'succeeded']);
  });
});

test('the context of a subagentStart hook reaches the result', async () => {
  await withEca({ a: hookOf('subagentStart', says({ additionalContext: 'Read only.' })) }, async ({ handler }) => {
    expect(contextOf(await handler.fire('SubagentStart', { agent_type: 'explore' }))).toBe('Read only.');
  });
});

test.each(['preRequest', 'preToolCall', 'postToolCall'])('systemMessage of a %s hook is for the user, not for the model', async (type) => {
  const moments = {
    preRequest: ['BeforeAgent', { prompt: 'p' }],
    preToolCall: ['BeforeTool', { tool_name: 'x', tool_input: {} }],
    postToolCall: ['AfterTool', { tool_name: 'x', tool_input: {}, tool_response: {} }],
  } as const;
  const [eventName, input] = moments[type as keyof typeof moments];
  await withEca({ a: hookOf(type, says({ systemMessage: 'Look.' })) }, async ({ handler }) => {
    const result = await handler.fire(eventName, input);
    expect(result.finalOutput).toMatchObject({ hookSpecificOutput: { userMessage: 'Look.' } });
    expect(result.finalOutput?.systemMessage).toBeUndefined();
    expect(outcomeAt(result, 0).warnings).toEqual([]);
  });
});

test.each([
  ['a line', 'echo remember this', 'remember this'],
  ['two hooks', 'echo one; echo two', 'one\ntwo'],
  ['JSON that is not an object', 'echo "[1]"', '[1]'],
])('plain text of a preRequest hook is context for the model: %s', async (_, command, context) => {
  expect(contextOf(await firePrompt({ a: hookOf('preRequest', command) }))).toBe(context);
});

test('the description of a hook is read, and anything but a string has a warning', async () => {
  const hooks = { a: preToolCall('true', { description: 'Guards.' }), b: preToolCall('true', { description: 7 }) };
  await withEca(hooks, async ({ hooks: system }) => {
    expect(system.diagnostics).toMatchObject([{ code: 'invalid_field', severity: 'warning', path: 'hooks.b.description' }]);
  });
});

test('a chatStatusChanged hook is an error that names the types there are, and its sibling runs', async () => {
  await withEca({ a: hookOf('chatStatusChanged', 'true'), b: preToolCall('true') }, async ({ hooks, handler }) => {
    expect(hooks.diagnostics).toMatchObject([{ code: 'unknown_event', remedy: expect.stringContaining('no event of Tenterhook') }]);
    expect(deeds(await handler.fireBeforeToolEvent('x', {}))).toEqual([['b', 'succeeded']]);
  });
});

test('a warning of a field that its type cannot use names both', async () => {
  await withEca({ a: hookOf('postCompact', says({ additionalContext: 'c' })) }, async ({ handler }) => {
    const result = await handler.fire('PostCompress', { trigger: 'auto' });
    expect(warningCodes(outcomeAt(result, 0))).toEqual(['no_effect']);
    expect(outcomeAt(result, 0).warnings[0]?.message).toContain('additionalContext has no effect on postCompact');
  });
});
