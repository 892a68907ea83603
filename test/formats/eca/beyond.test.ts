import { rmSync } from 'node:fs';
import { eca, llxprt } from '@tenterhook/dialects';
import type { HookEventName } from '@tenterhook/protocol';
import { outcomeAt, says, settingsOf, warningCodes, withEndingHooks } from '../../support/fire-hooks.js';
import { withPlaces } from '../../support/places.js';
import { callShell, contextOf, deeds, firePrompt, fireShell, hookOf, idOf, preToolCall, seen, withEca } from './eca-hooks.js';

/** Rules in sections 7 and 8 of the format's specification that are not in its list of cases. */

test('a guard whose deny follows a log line denies', async () => {
  const deny = says({ approval: 'deny', additionalContext: 'no rm' });
  for (const command of [`echo checking; ${deny}`, `${deny}; echo done`, `${deny}; ${says({ approval: 'allow' })}`]) {
    const result = await fireShell({ guard: preToolCall(command) });
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no rm' });
    expect(warningCodes(outcomeAt(result, 0))).toEqual(['mixed_output']);
    expect(contextOf(result)).toBeUndefined();
  }
});

test.each(['allow', 'ask'])('the context beside the approval %s is context', async (approval) => {
  const result = await fireShell({ a: preToolCall(says({ approval, additionalContext: 'c' })) });
  expect(result.verdict.kind).toBe(approval);
  expect(contextOf(result)).toBe('c');
});

test('a lone allow behind a log line is not an opinion', async () => {
  const result = await fireShell({ log: preToolCall(`echo checking; ${says({ approval: 'allow' })}`) });
  expect(result.verdict.kind).toBe('none');
  expect(warningCodes(outcomeAt(result, 0))).toContain('mixed_output');
});

test('a text with an object in it that is not an answer is context as a whole', async () => {
  const result = await firePrompt({ log: hookOf('preRequest', `echo result:; ${says({ level: 'info' })}`) });
  expect(contextOf(result)).toBe('result:\n{"level":"info"}');
});

test.each<[type: string, eventName: HookEventName, input: Record<string, unknown>, field: string, value: unknown]>([
  ['chatStart', 'SessionStart', { source: 'startup' }, 'updatedInput', { x: 1 }],
  ['chatStart', 'SessionStart', { source: 'startup' }, 'replacedPrompt', 'A'],
  ['preRequest', 'BeforeAgent', { prompt: 'p' }, 'approval', 'allow'],
  ['preToolCall', 'BeforeTool', { tool_name: 'read_file', tool_input: {} }, 'replacedPrompt', 'A'],
  ['postToolCall', 'AfterTool', { tool_name: 'read_file', tool_input: {}, tool_response: {} }, 'approval', 'deny'],
  ['postRequest', 'AfterAgent', { prompt: 'p', prompt_response: 'r', stop_hook_active: false }, 'additionalContext', 'c'],
  ['chatEnd', 'SessionEnd', { reason: 'exit' }, 'additionalContext', 'c'],
])('a %s hook (%s %j) cannot use %s: %j; it is dropped with a warning', async (type, eventName, input, field, value) => {
  await withEca({ a: hookOf(type, says({ [field]: value })) }, async ({ handler }) => {
    const result = await handler.fire(eventName, input);
    expect(result.verdict.kind).toBe('none');
    expect(result.changes).toEqual([]);
    expect(result.finalOutput?.hookSpecificOutput ?? {}).toEqual({});
    expect(outcomeAt(result, 0)).toMatchObject({
      status: 'succeeded',
      warnings: [{ code: 'no_effect', message: expect.stringContaining(field) }],
    });
  });
});

test.each([
  ['deny', 'deny_counted'],
  ['ask', 'ask_counted'],
])(
  'the approval "%s" of a preRequest hook, which ECA does not read, counts with a warning (decisions 66 and 68)',
  async (approval, code) => {
    const result = await firePrompt({ guard: hookOf('preRequest', says({ approval })) });
    expect(result.verdict).toMatchObject({ kind: approval, by: [expect.stringContaining('guard')] });
    expect(warningCodes(outcomeAt(result, 0))).toEqual([code]);
  },
);

test.each([
  ['write_file', { file_path: '/etc/passwd', path: '/tmp/decoy' }],
  ['read_file', { absolute_path: '/tmp/ok', file_path: '/etc/passwd' }],
])('a call of %s that names two files is denied, whatever the hook would have said: %j', async (tool, input) => {
  await withEca({ log: preToolCall('exit 0') }, async ({ handler }) => {
    const result = await handler.fireBeforeToolEvent(tool, input);
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: expect.stringContaining('name different files') });
    expect(outcomeAt(result, 0)).toMatchObject({ status: 'failed', failedClosed: true });
    expect(warningCodes(outcomeAt(result, 0))[0]).toBe('ambiguous_input');
  });
});

test('"continue": null says nothing: no stop, and later hooks run', async () => {
  const result = await fireShell({ a: preToolCall(says({ continue: null })), b: preToolCall('true') });
  expect(result.verdict).toMatchObject({ kind: 'none', stop: false });
  expect(deeds(result)[1]).toEqual(['b', 'succeeded']);
});

test.each([0, 'no', []])('"continue": %j is not a stop, and a warning', async (value) => {
  const result = await fireShell({ a: preToolCall(says({ continue: value })), b: preToolCall('true') });
  expect(result.verdict).toMatchObject({ kind: 'none', stop: false });
  expect(outcomeAt(result, 0).warnings).toMatchObject([{ code: 'wrong_type', message: expect.stringContaining('continue') }]);
  expect(deeds(result)[1]).toEqual(['b', 'succeeded']);
});

test('a hook that does not read its stdin is not an error, however much there is', async () => {
  const result = await firePrompt({ deaf: hookOf('preRequest', 'true') }, 'p'.repeat(1_000_000));
  expect(outcomeAt(result, 0)).toMatchObject({ status: 'succeeded', exitCode: 0, warnings: [] });
});

test('a key is never renamed, whatever characters it holds', async () => {
  const keys = [
    'a/b',
    'with a space',
    `"quoted" 'twice'`,
    '__proto__',
    'constructor',
    'größe ✓',
    '',
    '../x',
    '$(echo x)',
    '-n',
    'new\nline',
  ];
  // fromEntries makes own properties of all keys, as JSON.parse does.
  const hooks = Object.fromEntries(keys.map((key) => [key, preToolCall(`cat >> seen.txt; echo >> seen.txt`)]));
  await withEca(hooks, async ({ hooks: system, handler, read }) => {
    expect(system.diagnostics).toEqual([]);
    const result = await callShell(handler);
    const sorted = [...keys].sort();
    expect(result.outcomes.map(({ name, status }) => [name, status])).toEqual(sorted.map((key) => [key, 'succeeded']));
    expect(new Set(result.outcomes.map(({ hookId }) => hookId)).size).toBe(keys.length);
    const lines = (read('seen.txt') ?? '').split('\n').filter((line) => line !== '');
    expect(lines.map((line) => JSON.parse(line).hook_name)).toEqual(sorted);
  });
});

test('a slash in a key is escaped in the id, and two hooks of one name have two ids', async () => {
  const result = await fireShell({ 'a/b': preToolCall('true'), k: preToolCall(['true', 'true']), 'k-1': preToolCall('true') });
  const ids = result.outcomes.map(({ hookId }) => hookId);
  expect(ids[0]).toBe(idOf('a%2Fb'));
  expect(new Set(ids).size).toBe(4);
});

test('without a workspace folder a hook has failed, and the warning says why', async () => {
  await withEca({ guard: preToolCall('exit 2') }, async ({ handler, projectDir }) => {
    rmSync(projectDir, { recursive: true });
    const result = await callShell(handler);
    expect(result.verdict.kind).toBe('deny');
    expect(outcomeAt(result, 0)).toMatchObject({
      status: 'failed',
      warnings: [{ message: expect.stringContaining(projectDir) }, { code: 'failed_closed' }],
    });
  });
});

test.each<[old: string, type: string, eventName: HookEventName, input: Record<string, unknown>]>([
  ['prePrompt', 'preRequest', 'BeforeAgent', { prompt: 'p' }],
  ['postPrompt', 'postRequest', 'AfterAgent', { prompt: 'p', prompt_response: 'r', stop_hook_active: false }],
])('%s is an old spelling of %s, which is what the hook receives', async (old, type, eventName, input) => {
  await withEca({ a: hookOf(old, 'cat > seen.json') }, async (scene) => {
    expect(scene.hooks.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(outcomeAt(await scene.handler.fire(eventName, input), 0)).toMatchObject({ hookId: idOf('a', eventName), status: 'succeeded' });
    expect(seen(scene)['hook_type']).toBe(type);
  });
});

test.each(['eca__run_shell_command', 'eca__shell_command'])('a tool of the host is also tried under its own name: %s', async (matcher) => {
  expect(deeds(await fireShell({ a: preToolCall('true', { matcher }) }))).toEqual([['a', 'succeeded']]);
});

test('a rewrite comes back under the keys of the host, and the next hook sees it under those of ECA', async () => {
  const a = preToolCall(says({ updatedInput: { path: '/srv/b.txt', mode: 'x' } }), { matcher: 'eca__write_file' });
  await withEca({ a, b: preToolCall('cat > seen.json') }, async (scene) => {
    const result = await scene.handler.fireBeforeToolEvent('write_file', { file_path: '/srv/a.txt', content: 'c' });
    expect(seen(scene)['tool_input']).toEqual({ path: '/srv/b.txt', content: 'c', mode: 'x' });
    expect(result.finalOutput?.hookSpecificOutput?.['tool_input']).toEqual({ file_path: '/srv/b.txt', content: 'c', mode: 'x' });
    expect(result.changes[0]).toEqual({ path: 'tool_input.file_path', hookId: idOf('a'), before: '/srv/a.txt', after: '/srv/b.txt' });
  });
});

test.each(['exit 1', 'kill -9 $$', '/no/such/guard'])('with onError "block" a failed hook denies: %s', async (command) => {
  const result = await fireShell({ guard: preToolCall(command, { onError: 'block' }), open: preToolCall(command) });
  expect(result.verdict).toMatchObject({ kind: 'deny', by: [idOf('guard')] });
  expect(outcomeAt(result, 0)).toMatchObject({ status: 'failed', failedClosed: true });
});

test('an invalid onError is a diagnostic, and the hook is as without it', async () => {
  await withEca({ guard: preToolCall('exit 1', { onError: 'stop' }) }, async ({ hooks, handler }) => {
    expect(hooks.diagnostics).toMatchObject([{ code: 'invalid_field', path: 'hooks.guard.onError' }]);
    expect((await callShell(handler)).verdict.kind).toBe('none');
  });
});

test('visible false: the progress messages say that the run is to be hidden, and nothing else changes', async () => {
  const hooks = { a: preToolCall('exit 2', { visible: false }), b: hookOf('preRequest', 'true', { visible: true }) };
  await withEca(hooks, async ({ handler, progress }) => {
    expect((await callShell(handler)).verdict.kind).toBe('deny');
    expect(progress).toMatchObject([
      { kind: 'planned', stages: [[{ name: 'a', hidden: true }]] },
      { kind: 'hook-started', hidden: true },
      { kind: 'hook-finished', hidden: true },
    ]);
    progress.length = 0;
    await handler.fireBeforeAgentEvent('p');
    expect(JSON.stringify(progress)).not.toContain('hidden');
    expect(progress).toHaveLength(3);
  });
});

test('runOnError is for postToolCall: elsewhere it changes nothing', async () => {
  expect(deeds(await fireShell({ a: preToolCall('true', { runOnError: true }) }))).toEqual([['a', 'succeeded']]);
});

describe('mixed', () => {
  const llxprtId = 'llxprt/project/BeforeTool/0.0';
  const inLlxprt = (command: string) => ({ tools: { enableHooks: true }, ...settingsOf('BeforeTool', [command]) });

  test('an ECA deny stands against an LLxprt allow on the same event, and names its hook', async () => {
    await withPlaces(async (places) => {
      const native = places.write('project/.llxprt/settings.json', inLlxprt(`cat > llxprt.json; ${says({ decision: 'allow' })}`));
      const own = places.write('project/.eca/config.json', {
        hooks: { guard: preToolCall(`cat > eca.json; ${says({ approval: 'deny', additionalContext: 'no' })}`) },
      });
      await places.discover(async (scene) => {
        expect(scene.hooks.diagnostics).toEqual([]);
        const result = await callShell(scene.handler);
        expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no', by: [idOf('guard', 'BeforeTool', 'project')] });
        expect(result.outcomes).toMatchObject([
          { hookId: llxprtId, dialect: 'llxprt', status: 'succeeded' },
          { dialect: 'eca', source: 'project', status: 'blocked' },
        ]);
        // Each hook receives stdin in its own format.
        expect(seen(scene, 'llxprt.json')).toMatchObject({
          hook_event_name: 'BeforeTool',
          session_id: 's1',
          tool_name: 'run_shell_command',
        });
        expect(seen(scene, 'eca.json')).toMatchObject({ hook_type: 'preToolCall', chat_id: 's1', tool_name: 'shell_command' });
        expect(scene.hooks.explain('BeforeTool', { tool_name: 'run_shell_command', tool_input: {} }).hooks).toMatchObject([
          { hookId: llxprtId, dialect: 'llxprt', file: native, wouldRun: true },
          { hookId: idOf('guard', 'BeforeTool', 'project'), dialect: 'eca', file: own, wouldRun: true },
        ]);
      });
    });
  });

  test('an LLxprt deny counts too, and the later ECA hook does not run', async () => {
    await withPlaces(async (places) => {
      places.write('project/.llxprt/settings.json', inLlxprt('echo no >&2; exit 2'));
      places.write('project/.eca/config.json', { hooks: { ok: preToolCall(says({ approval: 'allow' })) } });
      await places.discover(async ({ handler }) => {
        const result = await callShell(handler);
        expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no', by: [llxprtId] });
        expect(result.outcomes[1]).toMatchObject({ dialect: 'eca', status: 'skipped', skipReason: 'chain-ended' });
      });
    });
  });

  test('the switch of LLxprt does not apply to ECA: its hooks run while those of LLxprt are off', async () => {
    await withPlaces(async (places) => {
      places.write('project/.llxprt/settings.json', { ...inLlxprt('exit 2'), tools: { enableHooks: false } });
      places.write('project/.eca/config.json', { hooks: { ok: preToolCall('true') } });
      await places.discover(async ({ handler }) => {
        expect((await callShell(handler)).outcomes).toMatchObject([{ dialect: 'eca', status: 'succeeded' }]);
      });
    });
  });

  test('settings that are given are recognised by the types of their hooks, in one list with those of LLxprt', async () => {
    const settings = [{ hooks: { note: hookOf('preRequest', 'echo eca') } }, settingsOf('BeforeAgent', ['echo llxprt'])];
    await withEndingHooks({ dialects: [llxprt(), eca()], settings }, async ({ hooks, handler }) => {
      expect(hooks.diagnostics).toEqual([]);
      const result = await handler.fireBeforeAgentEvent('p');
      expect(result.outcomes.map(({ dialect, source }) => [dialect, source])).toEqual([
        ['llxprt', 'settings:2'],
        ['eca', 'settings:1'],
      ]);
      // The same text is a message in one format and context in the other (decisions 5 and 49).
      expect(result.finalOutput).toMatchObject({ systemMessage: 'llxprt', hookSpecificOutput: { additionalContext: 'eca' } });
    });
  });

  test('a rewrite of an LLxprt hook is what an ECA hook sees', async () => {
    await withPlaces(async (places) => {
      const rewrite = says({ hookSpecificOutput: { tool_input: { command: 'ls -l' } } });
      places.write('project/.llxprt/settings.json', inLlxprt(rewrite));
      places.write('project/.eca/config.json', {
        hooks: { b: preToolCall(`cat > eca.json; ${says({ updatedInput: { timeout: 60 } })}`) },
      });
      await places.discover(async (scene) => {
        const result = await callShell(scene.handler);
        expect(seen(scene, 'eca.json')['tool_input']).toEqual({ command: 'ls -l' });
        expect(result.finalOutput?.hookSpecificOutput?.['tool_input']).toEqual({ command: 'ls -l', timeout: 60 });
      });
    });
  });
});
