import { executeToolWithHooks } from '@tenterhook/agent';
import type { HookExecutionProgress, McpContext } from '@tenterhook/protocol';
import { recordingTool } from '../../support/agent.js';
import { withEnvironment } from '../../support/environment.js';
import { outcomeAt, says } from '../../support/fire-hooks.js';
import { withPlaces } from '../../support/places.js';
import { shellCall, withEcaAgent } from './eca-agent.js';
import { callShell, contextOf, deeds, fireShell, hookOf, idOf, preToolCall, seen, withEca } from './eca-hooks.js';

describe('settings', () => {
  const [projectFile, userFile] = ['project/.eca/config.json', 'home/.config/eca/config.json'];
  const note = (text: string) => hookOf('preRequest', `echo ${text}`);

  test('the files of the workspace and of the user are found, and no switch is needed', async () => {
    await withPlaces(async (places) => {
      const files = [
        places.write(projectFile, { rules: [], hooks: { b: note('project') }, providers: { x: { url: 'u' } } }),
        places.write(userFile, '{ "hooks": { "a": { "type": "preRequest", "actions": [{ "type": "shell", "shell": "echo user" }] } } }'),
      ];
      await places.discover(async ({ hooks, handler }) => {
        expect(hooks.diagnostics).toEqual([]);
        const found = hooks.files.filter(({ dialect }) => dialect === 'eca');
        expect(found).toMatchObject([
          { file: files[0], source: 'project', state: 'read' },
          { file: files[1], source: 'user', state: 'read' },
        ]);
        const result = await handler.fireBeforeAgentEvent('p');
        // Sorted by key, whichever file the hook is in.
        expect(result.outcomes.map(({ hookId }) => hookId)).toEqual([
          idOf('a', 'BeforeAgent', 'user'),
          idOf('b', 'BeforeAgent', 'project'),
        ]);
        expect(contextOf(result)).toBe('user\nproject');
      });
    });
  });

  test('XDG_CONFIG_HOME is where the file of the user is, in place of ~/.config', async () => {
    await withPlaces(async (places) => {
      places.write(userFile, { hooks: { a: note('home') } });
      places.write('home/elsewhere/eca/config.json', { hooks: { a: note('elsewhere') } });
      const said = () => places.discover(async ({ handler }) => contextOf(await handler.fireBeforeAgentEvent('p')));
      expect(await withEnvironment({ XDG_CONFIG_HOME: places.at('home/elsewhere') }, said)).toBe('elsewhere');
      // A relative path is ignored, as the specification of that variable demands.
      expect(await withEnvironment({ XDG_CONFIG_HOME: 'elsewhere' }, said)).toBe('home');
      expect(await withEnvironment({ XDG_CONFIG_HOME: '' }, said)).toBe('home');
    });
  });

  test('one key in two files: both hooks run, that of the workspace first, and a warning names both files (decision 62)', async () => {
    await withPlaces(async (places) => {
      const ofProject = places.write(projectFile, { hooks: { guard: preToolCall('true') } });
      const ofUser = places.write(userFile, { hooks: { guard: preToolCall('exit 2') } });
      await places.discover(async ({ hooks, handler }) => {
        expect(hooks.diagnostics).toMatchObject([{ code: 'repeated_key', severity: 'warning', dialect: 'eca' }]);
        for (const file of [ofProject, ofUser]) expect(JSON.stringify(hooks.diagnostics)).toContain(file);
        const result = await callShell(handler);
        expect(result.outcomes).toMatchObject([
          { hookId: idOf('guard', 'BeforeTool', 'project'), status: 'succeeded' },
          { hookId: idOf('guard', 'BeforeTool', 'user'), status: 'blocked' },
        ]);
      });
    });
  });

  test('a workspace that is not trusted: its hooks are skipped, and those of the user run', async () => {
    await withPlaces(async (places) => {
      places.write(projectFile, { hooks: { a: preToolCall('touch ran') } });
      places.write(userFile, { hooks: { b: preToolCall('true') } });
      const isTrusted = (source: string) => source !== 'project';
      await places.discover(
        async ({ handler, read }) => {
          expect(deeds(await callShell(handler))).toEqual([
            ['a', 'skipped', 'untrusted'],
            ['b', 'succeeded'],
          ]);
          expect(read('ran')).toBeUndefined();
        },
        { isTrusted },
      );
    });
  });

  const unknown: [type: string, meant: string][] = [
    ['PreToolUse', 'preToolCall'],
    ['BeforeTool', 'preToolCall'],
    ['pretoolcall', 'preToolCall'],
    ['pre_tool_call', 'preToolCall'],
    ['PostToolUse', 'postToolCall'],
    ['UserPromptSubmit', 'preRequest'],
    ['SessionStart', 'chatStart'],
  ];

  test.each(unknown)('the type %s is a diagnostic whose remedy is %s, and the other hooks run', async (type, meant) => {
    await withPlaces(async (places) => {
      const file = places.write(projectFile, { hooks: { bad: hookOf(type, 'exit 2'), good: preToolCall('true') } });
      await places.discover(async ({ hooks, handler }) => {
        expect(hooks.diagnostics).toMatchObject([
          { severity: 'error', file, line: 1, path: 'hooks.bad.type', remedy: expect.stringContaining(meant), dialect: 'eca' },
        ]);
        expect((await callShell(handler)).outcomes.at(-1)).toMatchObject({ name: 'good', status: 'succeeded' });
      });
    });
  });

  test('an invalid hook, or has no type or no actions, is a diagnostic each, and the others run', async () => {
    const shell = [{ type: 'shell', shell: 'exit 2' }];
    await withPlaces(async (places) => {
      places.write(projectFile, {
        hooks: {
          a: 'exit 2',
          b: { actions: shell },
          c: { type: 'preToolCall' },
          d: { type: 'preToolCall', actions: {} },
          e: preToolCall('true'),
        },
      });
      await places.discover(async ({ hooks, handler }) => {
        expect(hooks.diagnostics.map(({ severity, path }) => [severity, path?.split('.').slice(0, 2).join('.')])).toEqual(
          ['a', 'b', 'c', 'd'].map((key) => ['error', `hooks.${key}`]),
        );
        const result = await callShell(handler);
        expect(result.outcomes.filter(({ status }) => status !== 'skipped').map(({ name }) => name)).toEqual(['e']);
      });
    });
  });
});

describe('options of a hook', () => {
  test('a shell runs the actions of a hook; an action of another type does not run', async () => {
    const actions = [
      { type: 'shell', shell: 'echo "$((20 + 3))" | tee ran' },
      { type: 'http', url: 'https://example.org' },
    ];
    await withEca({ a: preToolCall(actions) }, async ({ hooks, handler, read }) => {
      expect(deeds(await callShell(handler))).toEqual([
        ['a-1', 'succeeded'],
        ['a-2', 'skipped', 'invalid'],
      ]);
      expect(read('ran')).toBe('23\n');
      expect(hooks.diagnostics).toMatchObject([{ code: 'unknown_type', severity: 'error', path: 'hooks.a.actions[1].type' }]);
    });
  });

  describe('matcher', () => {
    const gh: McpContext = { server_name: 'gh' };
    const tools: [matcher: string | undefined, tool: string, mcp: McpContext | undefined, runs: boolean][] = [
      ['eca__shell_command', 'run_shell_command', undefined, true],
      ['eca__shell_command', 'read_file', undefined, false],
      ['eca__(write|edit)_file', 'replace', undefined, true],
      ['eca__(write|edit)_file', 'read_file', undefined, false],
      ['gh__search-.*', 'search-code', gh, true],
      ['gh__search-.*', 'search-code', { server_name: 'other' }, false],
      // The matcher must match the whole of server__tool (decision 53).
      ['shell_command', 'run_shell_command', undefined, false],
      ['eca__shell', 'run_shell_command', undefined, false],
      [undefined, 'search-code', gh, true],
    ];

    test.each(tools)('matcher: %s and the tool %s of %j: it runs: %s', async (matcher, tool, mcp, runs) => {
      const fields = matcher === undefined ? {} : { matcher };
      const hooks = { a: hookOf('preToolCall', 'true', fields), b: hookOf('postToolCall', 'true', fields) };
      await withEca(hooks, async ({ handler }) => {
        const before = await handler.fireBeforeToolEvent(tool, {}, mcp);
        const after = await handler.fireAfterToolEvent(tool, {}, { llmContent: 'done' }, mcp);
        const expected = runs ? { status: 'succeeded' } : { status: 'skipped', skipReason: 'matcher' };
        expect([outcomeAt(before, 0), outcomeAt(after, 0)]).toMatchObject([expected, expected]);
      });
    });

    test('matcher: a text that is not a regular expression is a diagnostic, and the hook does not run (decision 53)', async () => {
      await withEca({ a: preToolCall('true', { matcher: '[' }) }, async ({ hooks, handler }) => {
        expect(hooks.diagnostics).toMatchObject([{ code: 'invalid_matcher', severity: 'error', path: 'hooks.a.matcher' }]);
        expect(deeds(await callShell(handler))).toEqual([['a', 'skipped', 'invalid']]);
      });
    });

    test.each([
      ['chatStart', 'SessionStart', { source: 'startup' }],
      ['preRequest', 'BeforeAgent', { prompt: 'p' }],
      ['sessionEnd', 'HostEnd', {}],
    ] as const)('matcher: on %s it means nothing: a warning, and the hook runs', async (type, eventName, input) => {
      await withEca({ a: hookOf(type, 'true', { matcher: 'eca__shell_command' }) }, async ({ hooks, handler }) => {
        expect(hooks.diagnostics).toMatchObject([{ code: 'matcher_ignored', severity: 'warning' }]);
        expect(deeds(await handler.fire(eventName, input))).toEqual([['a', 'succeeded']]);
      });
    });
  });

  test('visible: the chat receives to show the runs of a hook, unless the hook says false', async () => {
    const hooks = {
      default: preToolCall('true'),
      hidden: preToolCall('true', { visible: false }),
      shown: preToolCall('true', { visible: true }),
    };
    await withEca(hooks, async ({ handler, progress }) => {
      expect(deeds(await callShell(handler)).map(([, status]) => status)).toEqual(['succeeded', 'succeeded', 'succeeded']);
      const shown = [undefined, true, undefined];
      expect(hiddenIn(progress, 'hook-started')).toEqual(shown);
      expect(hiddenIn(progress, 'hook-finished')).toEqual(shown);
      const planned = progress.flatMap((message) => (message.kind === 'planned' ? message.stages.flat() : []));
      expect(planned.map(({ hidden }) => hidden)).toEqual(shown);
    });
  });

  function hiddenIn(progress: readonly HookExecutionProgress[], kind: 'hook-started' | 'hook-finished'): (true | undefined)[] {
    return progress.flatMap((message) => (message.kind === kind ? [message.hidden] : []));
  }

  test.each([
    [undefined, false],
    [false, false],
    [true, true],
  ])('runOnError %s: after a tool that failed the hook runs: %s', async (runOnError, runs) => {
    const hooks = { a: hookOf('postToolCall', 'touch ran', runOnError === undefined ? {} : { runOnError }) };
    await withEcaAgent(hooks, async ({ client, read }) => {
      const fail = () => Promise.reject(new Error('disk full'));
      await executeToolWithHooks(client, { ...shellCall, execute: fail });
      expect(read('ran')).toBe(runs ? '' : undefined);
      await executeToolWithHooks(client, { ...shellCall, ...recordingTool() });
      expect(read('ran')).toBe('');
    });
  });

  describe('execution', () => {
    test('hooks run by key, in code-unit order (decision 54), the next when the one before it has ended', async () => {
      const [one, two] = ['echo 1 >> ran', 'echo 2 >> ran'];
      const hooks = { b: preToolCall(one), a: preToolCall([one, two]), B: preToolCall(one), 10: preToolCall(one), 9: preToolCall(two) };
      await withEca(hooks, async ({ handler, progress, read }) => {
        const names = ['10', '9', 'B', 'a-1', 'a-2', 'b'];
        expect(deeds(await callShell(handler))).toEqual(names.map((name) => [name, 'succeeded']));
        expect(read('ran')).toBe('1\n2\n1\n1\n2\n1\n');
        const runs = progress.flatMap((message) =>
          message.kind.startsWith('hook-') && 'hookId' in message ? [[message.kind, message.hookId]] : [],
        );
        expect(runs).toEqual(names.flatMap((name) => ['hook-started', 'hook-finished'].map((kind) => [kind, idOf(name)])));
      });
    });

    test('a hook reads the prompt as the one before it rewrote it, and the last one counts', async () => {
      const hooks = {
        a: hookOf('preRequest', says({ replacedPrompt: 'first' })),
        b: hookOf('preRequest', `cat > seen.json; ${says({ replacedPrompt: 'second' })}`),
      };
      await withEca(hooks, async (scene) => {
        const result = await scene.handler.fireBeforeAgentEvent('original');
        expect(seen(scene)['prompt']).toBe('first');
        expect(result.finalOutput?.hookSpecificOutput).toEqual({ replacedPrompt: 'second' });
      });
    });

    test('the tool gets the updates on top of its arguments, the last in key order on top of all', async () => {
      const tool = recordingTool();
      const hooks = {
        // Decision 52: a later hook receives what the earlier ones returned.
        b: preToolCall(`cat > seen.json; ${says({ updatedInput: { timeout: 60 } })}`),
        a: preToolCall(says({ updatedInput: { timeout: 30, quiet: true } }), { recheck: false }),
      };
      await withEcaAgent(hooks, async (scene) => {
        await executeToolWithHooks(scene.client, { ...shellCall, ...tool });
        expect(seen(scene)['tool_input']).toEqual({ command: 'ls', timeout: 30, quiet: true });
      });
      expect(tool.calls).toEqual([{ command: 'ls', timeout: 60, quiet: true }]);
    });

    test.each([
      ['deny', says({ approval: 'deny', additionalContext: 'no' })],
      ['exit 2', 'echo no >&2; exit 2'],
    ])('conflict: %s blocks the call whatever the others say, and nothing runs after it', async (_way, rejects) => {
      const allow = says({ approval: 'allow' });
      const result = await fireShell({ a: preToolCall(allow), b: preToolCall([rejects, allow]), c: preToolCall(allow) });
      expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
      expect(deeds(result).map(([name, , skipReason]) => [name, skipReason])).toEqual([
        ['a', undefined],
        ['b-1', undefined],
        ['b-2', 'chain-ended'],
        ['c', 'chain-ended'],
      ]);
    });

    test('an action has 30 s, or the milliseconds of its timeout; then it is ended and the call goes on', async () => {
      const hooks = {
        a: preToolCall([{ type: 'shell', shell: 'sleep 600; echo late', timeout: 150 }, 'echo in time']),
      };
      await withEca(hooks, async ({ handler, progress }) => {
        const result = await callShell(handler);
        expect(deeds(result)).toEqual([
          ['a-1', 'timed-out'],
          ['a-2', 'succeeded'],
        ]);
        expect(result.verdict.kind).toBe('none');
        expect(contextOf(result)).toBe('in time');
        const given = progress.flatMap((message) => (message.kind === 'hook-started' ? [message.timeoutMs] : []));
        expect(given).toEqual([150, 30_000]);
      });
    });
  });
});
