import { createHookClient, executeToolWithHooks, runAgentTurnWithHooks } from '@tenterhook/agent';
import type { HookEventName } from '@tenterhook/protocol';
import { recordingTool } from '../../support/agent.js';
import { withEnvironment } from '../../support/environment.js';
import { outcomeAt, processesWith, says, warningCodes } from '../../support/fire-hooks.js';
import { type Places, withPlaces } from '../../support/places.js';
import { testWithPrograms } from '../../support/program.js';
import { until } from '../../support/until.js';
import { callShell, contextOf, deeds, firePrompt, fireShell, hookOf, idOf, preToolCall, withEca } from './eca-hooks.js';

describe('files and processes', () => {
  const userFile = 'home/.config/eca/config.json';
  const ofScript = (file: string) => ({ hooks: { note: hookOf('preRequest', { type: 'shell', file }) } });

  /** Returns what the script printed about its surroundings. */
  function heard(places: Places): Promise<unknown> {
    return places.discover(async ({ hooks, handler }) => {
      expect(hooks.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
      return contextOf(await handler.fireBeforeAgentEvent('p'));
    });
  }

  test('a relative file is looked up beside the settings first, then in the workspace', async () => {
    await withPlaces(async (places) => {
      places.write(userFile, ofScript('hooks/g.sh'));
      places.write('project/hooks/g.sh', 'echo workspace');
      expect(await heard(places)).toBe('workspace');
      places.write('home/.config/eca/hooks/g.sh', 'echo beside');
      expect(await heard(places)).toBe('beside');
    });
  });

  test('the same for the settings of the workspace', async () => {
    await withPlaces(async (places) => {
      places.write('project/.eca/config.json', ofScript('./hooks/g.sh'));
      places.write('project/hooks/g.sh', 'echo workspace');
      expect(await heard(places)).toBe('workspace');
      places.write('project/.eca/hooks/g.sh', 'echo beside');
      expect(await heard(places)).toBe('beside');
    });
  });

  test('a file that is in neither place is a diagnostic that names both, and the hook fails', async () => {
    await withPlaces(async (places) => {
      const file = places.write(userFile, { hooks: { ...ofScript('hooks/g.sh').hooks, other: hookOf('preRequest', 'echo other') } });
      await places.discover(async ({ hooks, handler }) => {
        expect(hooks.diagnostics).toMatchObject([{ severity: 'error', file, path: expect.stringContaining('hooks.note.actions[0]') }]);
        const said = JSON.stringify(hooks.diagnostics);
        for (const path of ['home/.config/eca/hooks/g.sh', 'project/hooks/g.sh']) expect(said).toContain(places.at(path));
        const result = await handler.fireBeforeAgentEvent('p');
        expect(deeds(result)).toEqual([
          ['note', 'failed'],
          ['other', 'succeeded'],
        ]);
      });
    });
  });

  test('a guard whose script is missing denies if its onError is block, and is a guard as soon as the script is there', async () => {
    await withPlaces(async (places) => {
      places.write(userFile, { hooks: { guard: { type: 'preRequest', onError: 'block', actions: [{ type: 'shell', file: 'g.sh' }] } } });
      await places.discover(async ({ handler }) => {
        const closed = await handler.fireBeforeAgentEvent('p');
        expect(closed.verdict.kind).toBe('deny');
        expect(outcomeAt(closed, 0)).toMatchObject({ status: 'failed', exitCode: 127, failedClosed: true });
        places.write('home/.config/eca/g.sh', 'exit 0');
        expect((await handler.fireBeforeAgentEvent('p')).verdict.kind).toBe('none');
        places.write('home/.config/eca/g.sh', '#!/bin/cat\nas a program', 0o755);
        expect(contextOf(await handler.fireBeforeAgentEvent('p'))).toContain('as a program');
      });
    });
  });

  test('"~" is the home directory, and an absolute path is taken as it is', async () => {
    await withPlaces(async (places) => {
      const script = places.write('home/my scripts/g.sh', 'echo found');
      for (const file of ['~/my scripts/g.sh', script]) {
        places.write(userFile, ofScript(file));
        expect(await heard(places)).toBe('found');
      }
    });
  });

  // A script for both languages: the second line is a command for bash, and two strings for Python.
  const polyglot = '#!/usr/bin/env python3\n"echo" "as bash"; "exit"\nprint("as Python")\n';

  testWithPrograms(['python3'], 'a file with a shebang and the executable bit is executed, any other runs with bash', async () => {
    await withPlaces(async (places) => {
      places.write(userFile, ofScript('hooks/h'));
      places.write('home/.config/eca/hooks/h', polyglot, 0o755);
      expect(await heard(places)).toBe('as Python');
      places.write('home/.config/eca/hooks/h', polyglot, 0o644);
      expect(await heard(places)).toBe('as bash');
    });
  });

  test('an executable file without a shebang runs with bash', async () => {
    await withPlaces(async (places) => {
      places.write(userFile, ofScript('hooks/h'));
      places.write('home/.config/eca/hooks/h', 'echo "$(basename "$BASH") $([[ a == a ]] && echo yes)"', 0o755);
      expect(await heard(places)).toBe('bash yes');
    });
  });

  test('a hook runs in the workspace, in the environment of its parent', async () => {
    await withPlaces(async (places) => {
      places.write(userFile, ofScript('hooks/h'));
      places.write('home/.config/eca/hooks/h', 'printf "%s|%s" "$PWD" "$OF_THE_PARENT"');
      const said = await withEnvironment({ OF_THE_PARENT: 'here' }, () => heard(places));
      expect(said).toBe(`${places.project}|here`);
    });
  });

  test('at the deadline the hook is settled without its output, the tool runs, and no process is left', async () => {
    const mark = globalThis.crypto.randomUUID();
    await withEnvironment({ TENTERHOOK_TEST: mark }, async () => {
      // Longer than any test: if nothing is left, the processes were killed and did not end by themselves.
      const hook = preToolCall({ type: 'shell', shell: `${says({ approval: 'deny' })}; sleep 600; echo x`, timeout: 100 });
      await withEca({ hook, next: preToolCall('true') }, async ({ hooks }) => {
        const tool = recordingTool();
        const call = await executeToolWithHooks(createHookClient(hooks), { name: 'run_shell_command', input: { command: 'ls' }, ...tool });
        expect(call.status).toBe('executed');
        expect(tool.calls).toEqual([{ command: 'ls' }]);
        const [outcome] = call.before?.outcomes ?? [];
        expect(outcome).toMatchObject({ status: 'timed-out', warnings: [{ code: 'timeout', message: expect.stringContaining('100 ms') }] });
        expect(outcome).not.toHaveProperty('output');
        expect(call.before?.verdict.kind).toBe('none');
        expect(call.before?.outcomes[1]).toMatchObject({ name: 'next', status: 'succeeded' });
        await until('no process of the hook is left', () => processesWith(mark).length === 0);
      });
    });
  });

  test('an action without a timeout has 30 seconds, each one its own', async () => {
    const hook = preToolCall(['true', { type: 'shell', shell: 'true', timeout: 5000 }]);
    await withEca({ hook }, async ({ hooks, handler, progress }) => {
      expect(hooks.hooks.BeforeTool.map(({ timeoutMs }) => timeoutMs)).toEqual([30_000, 5000]);
      await callShell(handler);
      const started = progress.filter(({ kind }) => kind === 'hook-started');
      expect(started).toMatchObject([{ timeoutMs: 30_000 }, { timeoutMs: 5000 }]);
    });
  });

  test.each([0, -1, '500', null, 3e9])('the timeout %j is a diagnostic, and 30 seconds are used', async (timeout) => {
    await withEca({ hook: preToolCall({ type: 'shell', shell: 'true', timeout }) }, async ({ hooks, handler }) => {
      expect(hooks.diagnostics).toMatchObject([{ code: 'invalid_timeout', path: 'hooks.hook.actions[0].timeout' }]);
      expect(hooks.hooks.BeforeTool[0]?.timeoutMs).toBe(30_000);
      expect(outcomeAt(await callShell(handler), 0).status).toBe('succeeded');
    });
  });

  test.each<[string, object]>([
    ['of the type http', { type: 'http', url: 'http://localhost' }],
    ['with shell and file', { type: 'shell', shell: 'true', file: 'g.sh' }],
    ['with neither shell nor file', { type: 'shell' }],
    ['whose shell is not a text', { type: 'shell', shell: 7 }],
  ])('an action %s is a diagnostic, and its siblings load', async (_, action) => {
    await withEca({ hook: preToolCall([action, 'true']), other: preToolCall('exit 2') }, async ({ hooks, handler }) => {
      expect(hooks.diagnostics).toMatchObject([
        { severity: 'error', path: expect.stringMatching(/^hooks\.hook\.actions\[0\]/), remedy: expect.any(String) },
      ]);
      expect(deeds(await callShell(handler))).toEqual([
        ['hook-1', 'skipped', 'invalid'],
        ['hook-2', 'succeeded'],
        ['other', 'blocked'],
      ]);
    });
  });
});

describe('exit codes', () => {
  test('exit 2 denies, and stderr is the reason', async () => {
    const result = await fireShell({ guard: preToolCall('echo nope >&2; exit 2') });
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'nope', by: [idOf('guard')] });
    expect(outcomeAt(result, 0)).toMatchObject({ status: 'blocked', exitCode: 2, stderr: 'nope\n' });
    // An exit code other than 0 means that the hook was not healthy, even if it is intended (design §4.5).
    expect(result.success).toBe(false);
    expect(result.errors).toEqual([]);
  });

  test('a silent exit 2 denies with a reason that names the hook', async () => {
    const result = await fireShell({ 'no-shell': preToolCall('exit 2') });
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: expect.stringContaining('no-shell') });
  });

  test.each<[string, string, string]>([
    ['additionalContext of stdout before stderr', `${says({ additionalContext: 'b' })}; echo a >&2`, 'b'],
    ['stopReason of stdout before stderr', `${says({ stopReason: 'b' })}; echo a >&2`, 'b'],
    ['stderr before the text of stdout', 'echo b; echo a >&2', 'a'],
    ['the text of stdout before a default', 'echo b', 'b'],
    ['stderr where the object of stdout has no reason', `${says({ approval: 'deny' })}; echo a >&2`, 'a'],
  ])('the reason of exit 2 is %s', async (_, command, reason) => {
    const result = await fireShell({ guard: preToolCall(`${command}; exit 2`) });
    expect(result.verdict).toMatchObject({ kind: 'deny', reason });
    expect(contextOf(result)).toBeUndefined();
  });

  test.each<[string, Record<string, unknown>]>([
    ['a deny', { approval: 'deny' }],
    ['a rewrite', { updatedInput: { x: 1 } }],
    ['a stop', { continue: false }],
    ['context', { additionalContext: 'c' }],
  ])('exit 1 is a failure, and %s that it printed is not obeyed', async (_, output) => {
    const result = await fireShell({ guard: preToolCall(`${says(output)}; echo broke >&2; exit 1`), next: preToolCall('true') });
    expect(result.verdict).toMatchObject({ kind: 'none', stop: false });
    expect(result.changes).toEqual([]);
    expect(contextOf(result)).toBeUndefined();
    expect(outcomeAt(result, 0)).toMatchObject({ status: 'failed', exitCode: 1 });
    expect(outcomeAt(result, 0).warnings[0]).toMatchObject({ code: 'exit_code', message: expect.stringContaining('broke') });
    expect(result).toMatchObject({ success: false, errors: [{ code: 'exit_code', hookId: idOf('guard') }] });
    expect(deeds(result).at(-1)).toEqual(['next', 'succeeded']);
  });

  test('a decision that is not obeyed is said to be lost', async () => {
    const result = await fireShell({ guard: preToolCall(`${says({ approval: 'deny' })}; exit 1`) });
    expect(warningCodes(outcomeAt(result, 0))).toContain('decision_ignored');
  });

  test('a hook that fails costs the deny of the next one nothing', async () => {
    const result = await fireShell({ a: preToolCall('exit 1'), b: preToolCall(says({ approval: 'deny', additionalContext: 'no' })) });
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no', by: [idOf('b')] });
    expect(deeds(result)).toEqual([
      ['a', 'failed'],
      ['b', 'blocked'],
    ]);
  });

  test('exit 2 of a preRequest hook blocks the prompt, and stderr is the reason', async () => {
    const result = await firePrompt({ guard: hookOf('preRequest', 'echo nope >&2; exit 2'), later: hookOf('preRequest', 'true') });
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'nope', by: [idOf('guard', 'BeforeAgent')] });
    expect(deeds(result)).toEqual([
      ['guard', 'blocked'],
      ['later', 'skipped', 'chain-ended'],
    ]);
  });

  const withoutEffect: [type: string, eventName: HookEventName, input: Record<string, unknown>][] = [
    ['sessionStart', 'HostStart', {}],
    ['sessionEnd', 'HostEnd', {}],
    ['chatStart', 'SessionStart', { source: 'startup' }],
    ['chatEnd', 'SessionEnd', { reason: 'exit' }],
    ['subagentStart', 'SubagentStart', { agent_type: 'explore' }],
    ['postCompact', 'PostCompress', { trigger: 'auto' }],
  ];

  test.each(withoutEffect)(
    'exit 2 of a %s hook is a warning and no decision, and the chain goes on (decision 59)',
    async (type, eventName, input) => {
      await withEca({ a: hookOf(type, 'echo nope >&2; exit 2'), b: hookOf(type, 'true') }, async ({ handler }) => {
        const result = await handler.fire(eventName, input);
        expect(result.verdict).toEqual({ kind: 'none', stop: false, by: [], stoppedBy: [] });
        expect(outcomeAt(result, 0)).toMatchObject({ status: 'succeeded', exitCode: 2 });
        expect(warningCodes(outcomeAt(result, 0))).toContain('no_effect');
        expect(JSON.stringify(outcomeAt(result, 0).warnings)).toContain('nope');
        expect(deeds(result)[1]).toEqual(['b', 'succeeded']);
        expect(result.success).toBe(false);
      });
    },
  );

  test('exit 2 of a postRequest hook keeps the agent going, and stderr is its next prompt', async () => {
    await withEca({ a: hookOf('postRequest', 'grep -q \'"follow_up_active":true\' || { echo again >&2; exit 2; }') }, async ({ hooks }) => {
      const prompts: string[] = [];
      const respond = (prompt: string) => {
        prompts.push(prompt);
        return 'r';
      };
      const turn = await runAgentTurnWithHooks(createHookClient(hooks), { prompt: 'p', respond });
      expect(turn).toMatchObject({ status: 'completed', turns: 2 });
      expect(prompts).toEqual(['p', 'again']);
    });
  });

  test('exit 2 of a postToolCall hook is feedback: the result stays, and the reason follows (decisions 19 and 59)', async () => {
    await withEca({ a: hookOf('postToolCall', 'echo tests fail >&2; exit 2') }, async ({ hooks }) => {
      const tool = recordingTool();
      const call = await executeToolWithHooks(createHookClient(hooks), { name: 'write_file', input: {}, ...tool });
      expect(call).toMatchObject({ status: 'executed', reason: 'tests fail', after: { verdict: { kind: 'deny' } } });
      expect(call.result).toEqual({ llmContent: 'done\n\ntests fail', returnDisplay: 'done' });
    });
  });

  test('exit 2 denies, also beside {"approval":"allow"}', async () => {
    const result = await fireShell({ guard: preToolCall(`${says({ approval: 'allow' })}; exit 2`) });
    expect(result.verdict).toMatchObject({ kind: 'deny', by: [idOf('guard')] });
    expect(warningCodes(outcomeAt(result, 0))).toContain('decision_ignored');
  });

  test('exit 2 rewrites nothing', async () => {
    const result = await fireShell({ guard: preToolCall(`${says({ updatedInput: { x: 1 } })}; exit 2`) });
    expect(result).toMatchObject({ verdict: { kind: 'deny' }, changes: [] });
    expect(warningCodes(outcomeAt(result, 0))).toContain('rewrite_ignored');
  });
});
