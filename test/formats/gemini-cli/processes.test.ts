import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { geminiCli } from '@tenterhook/dialects';
import { withEnvironment } from '../../support/environment.js';
import { freshDirectory, outcomeAt, processesWith, says, warningCodes } from '../../support/fire-hooks.js';
import { until } from '../../support/until.js';
import { fireWrite, hooksOf, idOf, withGemini } from './gemini-hooks.js';

describe('processes', () => {
  const mark = () => globalThis.crypto.randomUUID();

  test('a timeout is in milliseconds; at the deadline the outcome is settled and no process is left', async () => {
    const id = mark();
    // Longer than any test: if nothing is left, the process was killed and did not end by itself.
    const hook = { command: 'sleep 600; echo x', timeout: 600, env: { TENTERHOOK_TEST: id } };
    await withGemini(hooksOf('BeforeTool', hook), async ({ hooks, handler, progress }) => {
      expect(hooks.diagnostics).toMatchObject([
        { code: 'suspicious_timeout', severity: 'note', remedy: expect.stringContaining('600000') },
      ]);
      const result = await handler.fireBeforeToolEvent('write_file', {});
      expect(result.verdict.kind).toBe('none');
      expect(outcomeAt(result, 0)).toMatchObject({
        status: 'timed-out',
        warnings: [{ code: 'timeout', message: expect.stringContaining('600 ms') }],
      });
      expect(progress).toContainEqual(expect.objectContaining({ kind: 'hook-started', timeoutMs: 600 }));
      await until('no process of the hook is left', () => processesWith(id).length === 0);
    });
  });

  test.each([0, 3e9, '5s'])('the timeout %j is a diagnostic, and 60 seconds are used', async (timeout) => {
    await withGemini(hooksOf('BeforeTool', { command: 'true', timeout }), async ({ hooks }) => {
      expect(hooks.diagnostics).toMatchObject([{ code: 'invalid_timeout', path: 'hooks.BeforeTool[0].hooks[0].timeout' }]);
      expect(hooks.hooks.BeforeTool.map(({ timeoutMs }) => timeoutMs)).toEqual([60_000]);
    });
  });

  test('the number of a hook that was migrated from Claude Code is doubted', async () => {
    await withGemini(hooksOf('BeforeTool', { command: 'true', timeout: 30 }), async ({ hooks }) => {
      expect(hooks.diagnostics).toMatchObject([
        { code: 'suspicious_timeout', severity: 'warning', remedy: expect.stringContaining('30000') },
      ]);
    });
  });

  /** Creates a project whose path has a space, with a script that prints its variables. */
  async function inSpacedProject(
    command: string,
    use: (said: { message?: string; codes: string[]; projectDir: string }) => void,
  ): Promise<void> {
    const parent = freshDirectory();
    const projectDir = join(parent, 'my project');
    mkdirSync(projectDir);
    const script =
      '#!/bin/sh\nprintf "%s|%s|%s|%s|%s" "$GEMINI_PROJECT_DIR" "$CLAUDE_PROJECT_DIR" "$GEMINI_CWD" "$GEMINI_SESSION_ID" "$PWD"\n';
    writeFileSync(join(projectDir, 'x.sh'), script, { mode: 0o755 });
    try {
      await withGemini(
        hooksOf('BeforeTool', command),
        async ({ hooks, handler }) => {
          const codes = hooks.diagnostics.map(({ code }) => code);
          const message = (await handler.fireBeforeToolEvent('write_file', {})).finalOutput?.systemMessage;
          use({ ...(message === undefined ? {} : { message }), codes, projectDir });
        },
        { projectDir },
      );
    } finally {
      rmSync(parent, { recursive: true, force: true });
    }
  }

  test.each(['"$GEMINI_PROJECT_DIR/x.sh"', `"\${GEMINI_PROJECT_DIR}"/x.sh`, 'D=$GEMINI_PROJECT_DIR; "$D"/x.sh'])(
    '%s runs where the project path has a space',
    async (command) => {
      await inSpacedProject(command, ({ message, codes, projectDir }) => {
        expect(codes).toEqual([]);
        expect(message?.split('|')).toEqual([projectDir, projectDir, projectDir, 's1', projectDir]);
      });
    },
  );

  test.each(['$GEMINI_PROJECT_DIR/x.sh', `\${GEMINI_PROJECT_DIR}/x.sh`, 'sh -c "$(cat $CLAUDE_PROJECT_DIR/x.sh)"'])(
    '%s is a load warning where the project path has a space',
    async (command) => {
      await inSpacedProject(command, ({ codes }) => expect(codes).toEqual(['unquoted_variable']));
    },
  );

  test('without white space in the path there is nothing to say', async () => {
    await withGemini(hooksOf('BeforeTool', '$GEMINI_PROJECT_DIR/x.sh'), async ({ hooks }) => expect(hooks.diagnostics).toEqual([]));
  });

  test("a hook has its parent's environment, its own last", async () => {
    const print = `printf "%s|%s|%s" "$OF_THE_PARENT" "$GEMINI_SESSION_ID" "\${GEMINI_PLANS_DIR-none}"`;
    await withEnvironment({ OF_THE_PARENT: 'here', GEMINI_PLANS_DIR: undefined }, async () => {
      expect((await fireWrite(print)).finalOutput?.systemMessage).toBe('here|s1|none');
      const own = { command: print, env: { GEMINI_SESSION_ID: 'mine', OF_THE_PARENT: 'changed' } };
      expect((await fireWrite(own)).finalOutput?.systemMessage).toBe('changed|mine|none');
      await withGemini(
        hooksOf('BeforeTool', print),
        async ({ handler }) => {
          expect((await handler.fireBeforeToolEvent('write_file', {})).finalOutput?.systemMessage).toBe('here|s1|/srv/plans');
        },
        { dialects: [geminiCli({ plansDir: '/srv/plans' })] },
      );
    });
  });

  const printed = `printf "%s|%s|%s" "\${MY_TOKEN-none}" "\${HARMLESS-none}" "\${PLAIN-none}"`;
  const secrets = { MY_TOKEN: 't', HARMLESS: `ghp_${'a'.repeat(36)}`, PLAIN: 'text' };
  const asking = { security: { environmentVariableRedaction: { enabled: true } } };

  test.each<[string, Record<string, unknown>, Parameters<typeof geminiCli>[0], string]>([
    ['it is not requested', {}, {}, `t|${secrets.HARMLESS}|text`],
    ['the settings ask for it', asking, {}, 'none|none|text'],
    ['the host asks for it', {}, { redactEnvironment: true }, 'none|none|text'],
    [
      'the settings make exceptions',
      { security: { environmentVariableRedaction: { enabled: true, allowed: ['my_token'], blocked: ['PLAIN'] } } },
      {},
      't|none|none',
    ],
  ])('secrets in the environment where %s', async (_, settings, options, expected) => {
    await withEnvironment(secrets, async () => {
      await withGemini(
        { ...settings, hooks: hooksOf('BeforeTool', printed) },
        async ({ handler }) => {
          expect((await handler.fireBeforeToolEvent('write_file', {})).finalOutput?.systemMessage).toBe(expected);
        },
        { dialects: [geminiCli(options)] },
      );
    });
  });

  test('an answer counts although a child of the hook holds its output, and the child is left alone', async () => {
    const id = mark();
    const hook = { command: `sleep 600 & ${says({ decision: 'deny', reason: 'no' })}`, env: { TENTERHOOK_TEST: id } };
    const result = await fireWrite(hook);
    const children = processesWith(id);
    for (const child of children) process.kill(child, 'SIGKILL');
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
    expect(warningCodes(outcomeAt(result, 0))).toEqual(['left_processes']);
    expect(children).toHaveLength(1);
  });

  test('a working directory that is not there is named as what is missing', async () => {
    await withGemini(hooksOf('BeforeTool', 'true'), async ({ handler }) => {
      const result = await handler.fire('BeforeTool', { tool_name: 'write_file', tool_input: {}, cwd: '/no/such/directory' });
      expect(result.verdict.kind).toBe('deny');
      expect(outcomeAt(result, 0)).toMatchObject({
        status: 'failed',
        warnings: [{ message: expect.stringContaining('/no/such/directory') }, { code: 'failed_closed' }],
      });
    });
  });
});

describe('exit codes', () => {
  const deny = says({ decision: 'deny', reason: 'no' });
  const first = idOf('0.0');

  test.each(['true', says({})])('exit 0 after %s is not an opinion', async (command) => {
    const result = await fireWrite(command);
    expect(result.verdict).toEqual({ kind: 'none', stop: false, by: [], stoppedBy: [] });
    expect(outcomeAt(result, 0)).toMatchObject({ status: 'succeeded', exitCode: 0, warnings: [] });
    expect(result.finalOutput?.systemMessage).toBeUndefined();
  });

  test.each(['deny', 'block'])('the decision "%s" denies', async (decision) => {
    const result = await fireWrite(says({ decision, reason: 'no' }));
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no', by: [first] });
    expect(outcomeAt(result, 0)).toMatchObject({ status: 'blocked', warnings: [] });
  });

  test('exit 2 denies, and stderr is the reason', async () => {
    const result = await fireWrite('echo no >&2; exit 2');
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no', by: [first] });
    expect(outcomeAt(result, 0)).toMatchObject({ status: 'blocked', exitCode: 2 });
  });

  test('a silent exit 2 denies with a reason that names the hook', async () => {
    const result = await fireWrite({ name: 'guard', command: 'exit 2' });
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: expect.stringMatching(/guard.*2/) });
  });

  test.each<[string, string]>([
    ['{}', 'no'],
    ['{"decision":"allow"}', 'no'],
    ['{"decision":"allow","reason":"because"}', 'because'],
  ])('exit 2 denies although stdout says %s; the reason is %j', async (stdout, reason) => {
    const result = await fireWrite(`echo '${stdout}'; echo no >&2; exit 2`);
    expect(result.verdict).toMatchObject({ kind: 'deny', reason });
  });

  test('exit 2 with a log on stdout has stderr as its reason', async () => {
    expect((await fireWrite('echo checking; echo no >&2; exit 2')).verdict).toMatchObject({ kind: 'deny', reason: 'no' });
  });

  test('exit 0 with an empty stdout: JSON on stderr is the answer', async () => {
    const result = await fireWrite(`${says({ decision: 'deny', reason: 'x' })} >&2`);
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'x', by: [first] });
  });

  test('a log on stderr is neither an answer nor a message', async () => {
    const result = await fireWrite('echo loading >&2');
    expect(result.verdict.kind).toBe('none');
    expect(result.finalOutput?.systemMessage).toBeUndefined();
    expect(outcomeAt(result, 0)).toMatchObject({ status: 'succeeded', stderr: 'loading\n', warnings: [] });
  });

  test('exit 1 with text lets the tool run, and tells the user and not the model', async () => {
    const result = await fireWrite('echo oops >&2; exit 1');
    expect(result.verdict.kind).toBe('none');
    expect(outcomeAt(result, 0)).toMatchObject({ status: 'failed', exitCode: 1, warnings: [{ message: expect.stringContaining('oops') }] });
    expect(result.finalOutput?.systemMessage).toBeUndefined();
    expect(result.finalOutput?.decision).toBeUndefined();
  });

  test('a deny object with exit 1 denies, with a warning', async () => {
    const result = await fireWrite(`${deny}; echo oops >&2; exit 1`);
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
    expect(outcomeAt(result, 0).warnings).toMatchObject([{ code: 'exit_code', message: expect.stringContaining('oops') }]);
    const allowed = await fireWrite(`${says({ decision: 'allow', systemMessage: 'm' })}; exit 3`);
    expect([allowed.verdict.kind, allowed.finalOutput?.systemMessage]).toEqual(['none', 'm']);
  });

  test('a text with exit 3 denies, and silence is a failure', async () => {
    expect((await fireWrite('echo bad >&2; exit 3')).verdict).toMatchObject({ kind: 'deny', reason: 'bad', by: [first] });
    expect((await fireWrite('echo bad; echo log >&2; exit 4')).verdict).toMatchObject({ kind: 'deny', reason: 'bad' });
    const silent = await fireWrite('exit 3');
    expect(silent.verdict.kind).toBe('none');
    expect(outcomeAt(silent, 0)).toMatchObject({ status: 'failed', exitCode: 3, warnings: [{ code: 'exit_code' }] });
  });

  test('a missing script denies, and a warning names the command', async () => {
    const result = await fireWrite('/no/such/guard.sh');
    expect(result.verdict).toMatchObject({ kind: 'deny', by: [first] });
    const message = expect.stringContaining('/no/such/guard.sh');
    expect(outcomeAt(result, 0)).toMatchObject({ status: 'blocked', exitCode: 127, warnings: [{ code: 'missing_command', message }] });
  });

  test('a text with exit 0 is a message and no decision', async () => {
    const result = await fireWrite('echo hello');
    expect(result.verdict.kind).toBe('none');
    expect(result.finalOutput?.systemMessage).toBe('hello');
  });

  test('a deny object behind a log line counts', async () => {
    const result = await fireWrite(`echo checking; ${deny}`);
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
    expect(warningCodes(outcomeAt(result, 0))).toEqual(['mixed_output']);
  });

  test.each([
    ['decision', '{"decision":"DENY"}'],
    ['decision', '{"decision":true}'],
    ['continue', '{"continue":"false"}'],
  ])('the field %s in %s has no effect, and a warning', async (field, text) => {
    const result = await fireWrite(`echo '${text}'`);
    expect(result.verdict).toMatchObject({ kind: 'none', stop: false });
    expect(outcomeAt(result, 0).warnings).toEqual([{ code: 'wrong_type', message: expect.stringContaining(field) }]);
  });

  test.each(['[1,2]', '42', 'null'])('%s on stdout is not output, and a warning', async (text) => {
    const result = await fireWrite(`echo '${text}'`);
    expect(result.verdict.kind).toBe('none');
    expect(warningCodes(outcomeAt(result, 0))).toEqual(['not_an_object']);
  });

  test('an object in a JSON text is unwrapped once', async () => {
    const result = await fireWrite(`echo '${JSON.stringify(JSON.stringify({ decision: 'deny', reason: 'no' }))}'`);
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
    expect(warningCodes(outcomeAt(result, 0))).toEqual(['double_encoded']);
  });

  test('a hook that is killed after it printed has failed, and its signal is named', async () => {
    const result = await fireWrite('echo text; kill -9 $$');
    const outcome = outcomeAt(result, 0);
    expect(result.verdict.kind).toBe('none');
    expect(outcome).toMatchObject({
      status: 'failed',
      signal: 'SIGKILL',
      warnings: [{ code: 'signal', message: expect.stringContaining('SIGKILL') }],
    });
    expect(result.finalOutput?.systemMessage).toBeUndefined();
  });

  test('a field that Gemini CLI does not have is dropped, with a warning, and the rest counts', async () => {
    const result = await fireWrite(says({ decision: 'deny', reason: 'no', color: 'red', hookSpecificOutput: { mood: 'bad' } }));
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
    expect(warningCodes(outcomeAt(result, 0))).toEqual(['reserved_field', 'reserved_field']);
    expect(result.finalOutput).not.toHaveProperty('color');
  });

  test('onError, a field of ours, closes a guard that Gemini CLI would leave open', async () => {
    const result = await fireWrite({ name: 'guard', command: 'exit 1', onError: 'block' });
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: expect.stringContaining('guard') });
    expect(outcomeAt(result, 0)).toMatchObject({ status: 'failed', failedClosed: true });
  });
});
