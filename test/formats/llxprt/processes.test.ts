import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { llxprt } from '@tenterhook/dialects';
import { type AggregatedHookResult, EXIT_CODE_BLOCKING_ERROR, EXIT_CODE_NON_BLOCKING_ERROR, EXIT_CODE_SUCCESS } from '@tenterhook/protocol';
import { fireTool, freshDirectory, outcomeAt, processesWith, says, settingsOf, warningCodes, withHooks } from '../../support/fire-hooks.js';

describe('processes', () => {
  const marker = () => `TENTERHOOK_TEST=${globalThis.crypto.randomUUID()}`;
  const envOf = (text: string) => ({ TENTERHOOK_TEST: text.split('=')[1] as string });
  const deny = says({ decision: 'deny', reason: 'no' });

  test('30. two parallel hooks run at once, and their outcomes are in plan order, whichever ends first', async () => {
    const first = 'echo > first; until [ -e second ]; do sleep 0.02; done; until [ -e go ]; do sleep 0.02; done; echo one';
    const second = 'echo > second; until [ -e first ]; do sleep 0.02; done; sleep 0.3; echo two';
    await withHooks({ settings: settingsOf('BeforeTool', [first, second]) }, async ({ hooks, handler, projectDir, progress }) => {
      hooks.bus.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload }) => {
        if (payload.kind === 'hook-finished') writeFileSync(join(projectDir, 'go'), '');
      });
      const began = performance.now();
      const result = await handler.fireBeforeToolEvent('write_file', {});
      const measured = performance.now() - began;
      const happened = progress.map((message) => ('hookId' in message ? `${message.kind} ${message.hookId.at(-1)}` : message.kind));
      expect(happened).toEqual(['planned', 'hook-started 0', 'hook-started 1', 'hook-finished 1', 'hook-finished 0']);
      expect(result.outcomes.map((outcome) => outcome.stdout)).toEqual(['one\n', 'two\n']);
      expect(result.finalOutput?.systemMessage).toBe('one\ntwo');
      // The elapsed time of the event (decision 33): not shorter than that of its longest hook, and not the sum of all.
      expect(result.totalDuration).toBeGreaterThanOrEqual(Math.max(...result.outcomes.map((outcome) => outcome.durationMs)));
      expect(result.totalDuration).toBeLessThanOrEqual(measured);
    });
  });

  test('31. at the deadline a hook is settled without its output, and dispose() leaves no process of it', async () => {
    const mark = marker();
    // The hook ignores SIGTERM, so that only SIGKILL to the whole group can end it.
    const hook = { command: `trap '' TERM; ${deny}; sleep 12; echo x`, timeout: 300, env: envOf(mark) };
    await withHooks({ settings: settingsOf('BeforeTool', [hook]), limits: { killGraceMs: 60_000 } }, async ({ hooks, handler }) => {
      const result = await handler.fireBeforeToolEvent('write_file', {});
      expect(outcomeAt(result, 0)).toMatchObject({
        status: 'timed-out',
        warnings: [{ code: 'timeout', message: expect.stringContaining('300 ms') }],
      });
      expect(outcomeAt(result, 0)).not.toHaveProperty('output');
      expect(result.verdict.kind).toBe('none');
      // The event was answered while the hook still ran: it waited neither for the 12 s nor for the end of the hook.
      expect(processesWith(mark)).not.toEqual([]);
      await hooks.dispose();
      expect(processesWith(mark)).toEqual([]);
    });
  });

  test('32. a deny counts although a child of the hook holds its output, and the child is left alone', async () => {
    const mark = marker();
    const hook = { command: `sleep 600 & ${deny}; exit 2`, env: envOf(mark) };
    const result = await fireTool([hook]);
    const children = processesWith(mark);
    for (const child of children) process.kill(child, 'SIGKILL');
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
    expect(warningCodes(outcomeAt(result, 0))).toEqual(['left_processes']);
    expect(children).toHaveLength(1);
  });

  test.each([0, '500', 3e9])('33. the timeout %j is a diagnostic, and 60000 is used', async (timeout) => {
    await withHooks({ settings: settingsOf('BeforeTool', [{ command: 'true', timeout }]) }, async ({ hooks, handler, progress }) => {
      expect(hooks.diagnostics).toMatchObject([
        { code: 'invalid_timeout', path: 'hooks.BeforeTool[0].hooks[0].timeout', message: expect.stringContaining('Using 60000') },
      ]);
      await handler.fireBeforeToolEvent('write_file', {});
      expect(progress).toContainEqual(expect.objectContaining({ kind: 'hook-started', timeoutMs: 60_000 }));
    });
  });

  test('34. a project path with a space: the shell expands the variables, and all three hold the project directory', async () => {
    const parent = freshDirectory();
    const projectDir = join(parent, 'my project');
    mkdirSync(projectDir);
    const script = '#!/bin/sh\nprintf "%s|%s|%s|%s" "$LLXPRT_PROJECT_DIR" "$GEMINI_PROJECT_DIR" "$CLAUDE_PROJECT_DIR" "$PWD"\n';
    writeFileSync(join(projectDir, 'h.sh'), script, { mode: 0o755 });
    await withHooks({ projectDir, settings: settingsOf('BeforeTool', ['"$LLXPRT_PROJECT_DIR"/h.sh']) }, async ({ handler }) => {
      const result = await handler.fireBeforeToolEvent('write_file', {});
      expect(result.finalOutput?.systemMessage?.split('|')).toEqual([projectDir, projectDir, projectDir, projectDir]);
    });
    rmSync(parent, { recursive: true });
  });
});

describe('environment', () => {
  let environment: Record<string, string>;
  let expanded: string[];
  let projectDir: string;
  beforeAll(async () => {
    projectDir = freshDirectory();
    const cwd = join(projectDir, 'deeper');
    mkdirSync(cwd);
    const names = '"$LLXPRT_PROJECT_DIR|$GEMINI_PROJECT_DIR|$CLAUDE_PROJECT_DIR"';
    const settings = settingsOf('SessionStart', ['env -0', `echo ${names}`], { sequential: true });
    await withHooks({ projectDir, advanced: { cwd }, settings }, async ({ handler }) => {
      const [printed, words] = (await handler.fireSessionStartEvent('startup')).outcomes.map((outcome) => outcome.stdout ?? '');
      const pairs = (printed ?? '').split('\0').map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]);
      environment = Object.fromEntries(pairs);
      expanded = (words ?? '').trim().split('|');
      // The hook does not run in the project directory, where a command that names a script of the project would find it.
      expect(environment['PWD']).toBe(cwd);
    });
  });

  test.each<[name: string, place: number]>([
    ['LLXPRT_PROJECT_DIR', 0],
    ['GEMINI_PROJECT_DIR', 1],
    ['CLAUDE_PROJECT_DIR', 2],
  ])('%s is the project directory, not the working directory (decision 30), and expands in a command', (name, place) => {
    expect(environment[name]).toBe(projectDir);
    expect(expanded[place]).toBe(projectDir);
  });

  test('the variables of the parent process are there', () => {
    const own = ['PWD', 'OLDPWD', 'SHLVL', '_', 'LLXPRT_PROJECT_DIR', 'GEMINI_PROJECT_DIR', 'CLAUDE_PROJECT_DIR'];
    const names = Object.keys(process.env).filter((name) => !own.includes(name));
    expect(names.length).toBeGreaterThan(1);
    // Only names are compared: a failure is printed, and an environment contains secrets.
    expect(names.filter((name) => environment[name] !== process.env[name])).toEqual([]);
  });
});

describe('exit codes', () => {
  const deny = says({ decision: 'deny', reason: 'no' });

  test('0: the hook succeeded, and what it printed is obeyed', async () => {
    expect(EXIT_CODE_SUCCESS).toBe(0);
    const denied = await fireTool([`${deny}; exit ${EXIT_CODE_SUCCESS}`]);
    expect(denied.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
    const rewritten = await fireTool([`${says({ hookSpecificOutput: { tool_input: { mode: 'x' } } })}; exit ${EXIT_CODE_SUCCESS}`]);
    expect(rewritten.finalOutput?.hookSpecificOutput).toMatchObject({ tool_input: { mode: 'x' } });
    expect(outcomeAt(rewritten, 0)).toMatchObject({ status: 'succeeded', exitCode: 0 });
  });

  test('1: a warning, and the operation goes on', async () => {
    expect(EXIT_CODE_NON_BLOCKING_ERROR).toBe(1);
    const result = await fireTool([`${deny}; echo broke >&2; exit ${EXIT_CODE_NON_BLOCKING_ERROR}`]);
    expect(result.verdict.kind).toBe('none');
    expect(result.finalOutput?.isBlockingDecision()).toBe(false);
    expect(outcomeAt(result, 0)).toMatchObject({
      status: 'failed',
      warnings: [{ code: 'exit_code', message: expect.stringContaining('broke') }, { code: 'decision_ignored' }],
    });
  });

  test('2: the operation is blocked', async () => {
    expect(EXIT_CODE_BLOCKING_ERROR).toBe(2);
    for (const printed of ['true', 'echo text', says({ decision: 'allow' })]) {
      const result = await fireTool([`${printed}; exit ${EXIT_CODE_BLOCKING_ERROR}`]);
      expect(result.verdict.kind).toBe('deny');
      expect(result.finalOutput?.isBlockingDecision()).toBe(true);
      expect(outcomeAt(result, 0).status).toBe('blocked');
    }
  });

  test('2: the reason is that of stdout, else stderr', async () => {
    expect((await fireTool([`${deny}; echo aside >&2; exit 2`])).verdict).toMatchObject({ kind: 'deny', reason: 'no' });
    expect((await fireTool(['echo aside >&2; exit 2'])).verdict).toMatchObject({ kind: 'deny', reason: 'aside' });
  });

  test.each([1, 3, 42, 255])('%d: the hook failed, with a warning, and the operation continues', async (code) => {
    const result = await fireTool([`exit ${code}`]);
    expect(result.verdict).toMatchObject({ kind: 'none', stop: false });
    expect(outcomeAt(result, 0)).toMatchObject({ status: 'failed', exitCode: code, warnings: [{ code: 'exit_code' }] });
  });

  test('text with exit 0 is the system message, and no decision (decision 5)', async () => {
    const result = await fireTool(['echo all good']);
    expect(result.finalOutput?.systemMessage).toBe('all good');
    expect(result.verdict.kind).toBe('none');
    // If it had been an allow, it would outrank nothing but silence; next to an ask it must not count either.
    expect(outcomeAt(result, 0).output).not.toHaveProperty('decision');
  });

  test('text with exit 1 is a warning, and no part of the conversation (decision 4)', async () => {
    const result = await fireTool(['echo half done; exit 1']);
    expect(outcomeAt(result, 0).warnings).toEqual([{ code: 'exit_code', message: expect.stringContaining('half done') }]);
    expect(result.finalOutput?.systemMessage).toBeUndefined();
  });

  test('text with exit 2 is the reason of a deny', async () => {
    const result = await fireTool(['echo "Access denied: sensitive directory"; exit 2']);
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'Access denied: sensitive directory' });
    expect(warningCodes(outcomeAt(result, 0))).toEqual([]);
  });
});

describe('what can go wrong', () => {
  /** Checks that the operation continues: no hook decided or stopped it. */
  function expectGoesOn(result: AggregatedHookResult): void {
    expect(result.verdict).toEqual({ kind: 'none', stop: false, by: [], stoppedBy: [] });
  }

  /** Checks that nothing is started, and that the answer is there at once and the same for all calls. */
  async function expectNothingFires(settings: object): Promise<void> {
    await withHooks({ settings }, async ({ hooks, handler, progress, read }) => {
      expect(hooks.has('BeforeTool')).toBe(false);
      const [one, two] = [handler.fireBeforeToolEvent('write_file', {}), handler.fireBeforeToolEvent('glob', {})];
      expect(one).toBe(two);
      expectGoesOn(await one);
      expect(progress).toEqual([]);
      expect(read('ran')).toBeUndefined();
    });
  }

  test('tools.enableHooks: false: no hook fires', async () => {
    const settings = settingsOf('BeforeTool', ['touch ran; exit 2']);
    await expectNothingFires({ tools: { enableHooks: false }, ...settings });
    await withHooks({ settings: { tools: { enableHooks: true }, ...settings } }, async ({ handler, read }) => {
      expect((await handler.fireBeforeToolEvent('write_file', {})).verdict.kind).toBe('deny');
      expect(read('ran')).toBe('');
    });
  });

  test('no hook for the event: none fires', () => expectNothingFires(settingsOf('AfterTool', ['touch ran; exit 2'])));

  test('no matcher fits the tool: no hook fires', async () => {
    const settings = settingsOf('BeforeTool', ['touch ran; exit 2'], { matcher: '^write_file$' });
    await withHooks({ settings }, async ({ handler, read }) => {
      const result = await handler.fireBeforeToolEvent('read_file', {});
      expectGoesOn(result);
      expect(outcomeAt(result, 0)).toMatchObject({ status: 'skipped', skipReason: 'matcher' });
      expect(read('ran')).toBeUndefined();
      expect((await handler.fireBeforeToolEvent('write_file', {})).verdict.kind).toBe('deny');
    });
  });

  test('exit 0 with JSON: decisions and modifications are applied', async () => {
    expect((await fireTool([says({ decision: 'deny', reason: 'no' })])).verdict).toMatchObject({ kind: 'deny', reason: 'no' });
    const changing = await fireTool([says({ hookSpecificOutput: { tool_input: { mode: 'x' } } })]);
    expect(changing.changes).toMatchObject([{ path: 'tool_input.mode', after: 'x' }]);
  });

  test('exit 0 with text: goes on, and the text is the system message', async () => {
    const result = await fireTool(['echo deny this']);
    expectGoesOn(result);
    expect(result.finalOutput?.systemMessage).toBe('deny this');
  });

  test('exit 0 without output: goes on, and nothing is changed', async () => {
    const result = await fireTool(['true']);
    expectGoesOn(result);
    expect({ ...result.finalOutput }).toEqual({ decision: 'allow' });
    expect(result.changes).toEqual([]);
  });

  test('exit 2: blocked, with the reason of stdout, else stderr', async () => {
    expect((await fireTool([`${says({ reason: 'of stdout' })}; echo of stderr >&2; exit 2`])).verdict).toMatchObject({
      kind: 'deny',
      reason: 'of stdout',
    });
    expect((await fireTool(['echo of stderr >&2; exit 2'])).verdict).toMatchObject({ kind: 'deny', reason: 'of stderr' });
  });

  test.each([1, 3, 127])('exit %d: a warning, and it goes on', async (code) => {
    const result = await fireTool([`${says({ decision: 'deny', continue: false })}; exit ${code}`]);
    expectGoesOn(result);
    expect(outcomeAt(result, 0).status).toBe('failed');
    expect(warningCodes(outcomeAt(result, 0))).toEqual([code === 127 ? 'missing_command' : 'exit_code', 'decision_ignored']);
  });

  test('past its timeout a hook is killed: a warning, and it goes on', async () => {
    const mark = globalThis.crypto.randomUUID();
    const hook = { command: `${says({ decision: 'deny' })}; sleep 600`, timeout: 200, env: { TENTERHOOK_TEST: mark } };
    const result = await withHooks({ settings: settingsOf('BeforeTool', [hook]) }, ({ handler }) =>
      handler.fireBeforeToolEvent('write_file', {}),
    );
    expectGoesOn(result);
    expect(outcomeAt(result, 0)).toMatchObject({
      status: 'timed-out',
      warnings: [{ code: 'timeout', message: expect.stringContaining('200 ms') }],
    });
    // withHooks() has disposed of the system by now, so everything was killed.
    expect(processesWith(mark)).toEqual([]);
  });

  test('ended by a signal: a warning, and it goes on', async () => {
    const result = await fireTool([`${says({ decision: 'deny' })}; kill -SEGV $$`]);
    expectGoesOn(result);
    expect(outcomeAt(result, 0)).toMatchObject({ status: 'failed', signal: 'SIGSEGV', warnings: [{ code: 'signal' }] });
  });

  test('stderr with exit 0 is kept, and changes nothing; a decision in it is reported', async () => {
    const result = await fireTool([`{ ${says({ decision: 'deny', continue: false, systemMessage: 'm' })}; } >&2`]);
    expectGoesOn(result);
    expect({ ...result.finalOutput }).toEqual({ decision: 'allow' });
    expect(outcomeAt(result, 0)).toMatchObject({
      status: 'succeeded',
      stderr: expect.stringContaining('deny'),
      warnings: [{ code: 'decision_on_stderr' }],
    });
  });

  test('JSON that cannot be parsed, with exit 0, is the system message, and it goes on', async () => {
    const result = await fireTool([`echo '{"decision": "deny",'`]);
    expectGoesOn(result);
    expect(result.finalOutput?.systemMessage).toBe('{"decision": "deny",');
  });

  test('infrastructure: a failure of ours is a warning of that hook, and it goes on (decision 34)', async () => {
    const dialect = llxprt();
    const broken: typeof dialect = {
      ...dialect,
      decode: (exit, event, hook) => {
        if (hook.name === 'broken') throw new Error('bug');
        return dialect.decode(exit, event, hook);
      },
    };
    const settings = settingsOf('BeforeTool', [{ name: 'broken', command: 'exit 2' }, 'echo fine']);
    await withHooks({ settings, dialects: [broken] }, async ({ handler }) => {
      const result = await handler.fireBeforeToolEvent('write_file', {});
      expectGoesOn(result);
      expect(outcomeAt(result, 0)).toMatchObject({ status: 'failed', warnings: [{ code: 'internal_error' }] });
      expect(result.finalOutput?.systemMessage).toBe('fine');
    });
  });
});
