import { executeToolWithHooks, type HookClient } from '@tenterhook/agent';
import { recordingTool } from '../../support/agent.js';
import { withEnvironment } from '../../support/environment.js';
import { outcomeAt, processesWith, says, warningCodes } from '../../support/fire-hooks.js';
import { until } from '../../support/until.js';
import {
  callBash,
  command,
  deeds,
  fireBash,
  fireClaude,
  hooksOf,
  idOf,
  permission,
  preToolUse,
  specific,
  specificOf,
  toldTheUser,
  withClaude,
} from './claude-hooks.js';
import { hostMoments, moment, moments } from './moments.js';

describe('decisions', () => {
  const [first, second] = [idOf('0.0'), idOf('0.1')];

  test.each(['true', 'echo', 'echo "{}"'])('exit 0 without output is not an opinion, and never allow: %s', async (command) => {
    const result = await fireBash(command);
    expect(result.verdict).toEqual({ kind: 'none', stop: false, by: [], stoppedBy: [] });
    expect(outcomeAt(result, 0)).toMatchObject({ hookId: first, dialect: 'claude-code', status: 'succeeded', exitCode: 0, warnings: [] });
    expect(outcomeAt(result, 0).output?.decision).toBeUndefined();
    expect(result).toMatchObject({ success: true, changes: [], errors: [] });
  });

  test('the host that would ask its user still does', async () => {
    await withClaude(preToolUse('true'), async ({ client }) => {
      const tool = recordingTool();
      const call = await executeToolWithHooks(client, {
        name: 'run_shell_command',
        input: {},
        ...tool,
        approval: 'ask',
        ask: () => 'deny',
      });
      expect(call.status).toBe('blocked');
      expect(tool.calls).toEqual([]);
    });
  });

  test('exit 2 blocks and wins over a JSON allow; the reason is stderr', async () => {
    const result = await fireBash(`${permission('allow')}; echo no >&2; exit 2`);
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no', by: [first] });
    expect(outcomeAt(result, 0)).toMatchObject({ status: 'blocked', exitCode: 2 });
    expect(warningCodes(outcomeAt(result, 0))).toContain('decision_ignored');
    // An exit code other than 0 means that the hook was not healthy, even if it is intended (design §4.5).
    expect(result.success).toBe(false);
  });

  test('exit 1 with a valid deny object denies', async () => {
    const result = await fireBash(`${permission('deny', { permissionDecisionReason: 'no' })}; echo broke >&2; exit 1`);
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no', by: [first] });
    expect(outcomeAt(result, 0)).toMatchObject({ status: 'blocked', exitCode: 1 });
    expect(result.success).toBe(false);
  });

  test('an allow counts alike, and the error is shown', async () => {
    const result = await fireBash(`${permission('allow')}; echo broke >&2; exit 1`);
    expect(result.verdict).toMatchObject({ kind: 'allow', by: [first] });
    expect(outcomeAt(result, 0).warnings).toMatchObject([{ code: 'exit_code', message: expect.stringContaining('broke') }]);
  });

  test.each<[string[], string, string[]]>([
    [['allow', 'ask'], 'ask', [second]],
    [['ask', 'allow'], 'ask', [first]],
    [['deny', 'ask'], 'deny', [first]],
    [['ask', 'deny'], 'deny', [second]],
    [['deny', 'allow'], 'deny', [first]],
    [['ask', ''], 'ask', [first]],
    [['', 'ask'], 'ask', [second]],
    [['allow', ''], 'allow', [first]],
    [['ask', 'ask'], 'ask', [first, second]],
  ])('of %j side by side the verdict is %s', async (decisions, kind, by) => {
    // The comments make the handlers different: equal ones would run once.
    const handlers = decisions.map((each, index) => `${each === '' ? 'true' : permission(each)} # ${index}`);
    expect((await fireBash(handlers)).verdict).toMatchObject({ kind, by });
  });

  test('the reasons are those of the hooks that decided', async () => {
    const reason = (text: string) => ({ permissionDecisionReason: text });
    const result = await fireBash([
      permission('deny', reason('a')),
      permission('allow', reason('b')),
      permission('ask', reason('c')),
      permission('deny', reason('d')),
    ]);
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'a\nd' });
  });

  test('defer and allow are published as ask, with a warning', async () => {
    const result = await fireBash([permission('defer'), permission('allow')]);
    expect(result.verdict).toMatchObject({ kind: 'ask', by: [first] });
    expect(warningCodes(outcomeAt(result, 0))).toEqual(['deferred']);
  });

  test('defer and deny are deny; defer alone, and beside an ask, is ask', async () => {
    expect((await fireBash([permission('defer'), permission('deny')])).verdict).toMatchObject({ kind: 'deny', by: [second] });
    expect((await fireBash(permission('defer'))).verdict).toMatchObject({ kind: 'ask', by: [first] });
    expect((await fireBash([permission('defer'), permission('ask')])).verdict).toMatchObject({ kind: 'ask' });
  });

  test.each([
    ['block', 'deny'],
    ['approve', 'allow'],
  ])('the decision "%s" at top level is %s', async (decision, kind) => {
    const result = await fireBash(says({ decision, reason: 'r' }));
    expect(result.verdict).toMatchObject({ kind, by: [first] });
    if (kind === 'deny') expect(result.verdict.reason).toBe('r');
  });

  test('of both words of one hook the stricter counts', async () => {
    const both = (decision: string, permissionDecision: string) =>
      says({ decision, hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision } });
    expect((await fireBash(both('approve', 'deny'))).verdict.kind).toBe('deny');
    expect((await fireBash(both('block', 'allow'))).verdict.kind).toBe('deny');
    expect((await fireBash(both('approve', 'ask'))).verdict.kind).toBe('ask');
  });

  test.each(moments)('continue false stops on %s, with the stop reason', async (...moment) => {
    const result = await fireClaude(moment, says({ continue: false, stopReason: 's' }));
    expect(result.verdict).toMatchObject({ kind: 'none', stop: true, stopReason: 's', stoppedBy: [outcomeAt(result, 0).hookId] });
  });

  test('a stop is separate from the decision', async () => {
    const allows = says({
      continue: false,
      stopReason: 's',
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' },
    });
    expect((await fireBash(allows)).verdict).toMatchObject({ kind: 'allow', stop: true, stopReason: 's' });
    const denies = says({ continue: false, stopReason: 's', decision: 'block', reason: 'r' });
    expect((await fireBash(denies)).verdict).toMatchObject({ kind: 'deny', reason: 'r', stop: true, stopReason: 's' });
  });

  test('claude §3: the hooks of an event run side by side, and each of them runs whatever the others say', async () => {
    const wait = (own: string, other: string) => `touch ${own}; until [ -e ${other} ]; do sleep 0.02; done`;
    const handlers = [`${wait('a', 'b')}; exit 2`, `${wait('b', 'a')}; ${permission('deny')}`];
    await withClaude(preToolUse(handlers), async ({ handler }) => {
      expect(deeds(await callBash(handler))).toEqual(['blocked', 'blocked']);
    });
  });

  test.each(['PreToolUse', 'Stop'])('claude §5: null says nothing on %s', async (event) => {
    const moment = moments.find(([name]) => name === event);
    if (moment === undefined) throw new Error(event);
    const result = await fireClaude(moment, says({ continue: null, decision: null, hookSpecificOutput: null }));
    expect(result.verdict).toMatchObject({ kind: 'none', stop: false });
  });

  test('claude §5: a word that is not a permission decision has no effect, and a warning', async () => {
    const result = await fireBash(specific('PreToolUse', { permissionDecision: 'DENY' }));
    expect(result.verdict.kind).toBe('none');
    expect(outcomeAt(result, 0).warnings).toMatchObject([{ code: 'wrong_type', message: expect.stringContaining('permissionDecision') }]);
  });
});

describe('exit codes', () => {
  const blocking = [
    'PreToolUse',
    'UserPromptSubmit',
    'UserPromptExpansion',
    'Stop',
    'SubagentStop',
    'TeammateIdle',
    'TaskCreated',
    'TaskCompleted',
    'ConfigChange',
    'PostToolBatch',
    'PreCompact',
    'Elicitation',
    'ElicitationResult',
    'WorktreeCreate',
  ];
  /** Events on which stderr is for the model. */
  const feedback = ['PostToolUse', 'PostToolUseFailure'];
  const others = [...moments, ...hostMoments].filter(([event]) => ![...blocking, ...feedback].includes(event));

  test.each(blocking)('claude §6 exit 2: of a %s hook blocks, with stderr as the reason', async (event) => {
    const result = await fireClaude(moment(event), 'echo nope >&2; exit 2');
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'nope', by: [outcomeAt(result, 0).hookId] });
    expect(outcomeAt(result, 0)).toMatchObject({ status: 'blocked', exitCode: 2, stderr: 'nope\n' });
    expect(specificOf(result)).not.toHaveProperty('additionalContext');
  });

  test.each([says({ decision: 'block', reason: 'nope' }), 'echo nope >&2; exit 2'])(
    'claude §4 ConfigChange: the verdict has the block of a change by an administrator, too: %s',
    async (hook) => {
      const [event, eventName, input] = moment('ConfigChange');
      const result = await fireClaude([event, eventName, { ...input, source: 'policy_settings' }], hook);
      expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'nope' });
    },
  );

  test('claude §6 exit 2: a compression cannot be blocked, with a warning', async () => {
    for (const command of ['exit 2', says({ decision: 'block' })]) {
      const result = await fireClaude(moment('PreCompact'), command);
      expect(warningCodes(outcomeAt(result, 0))).toContain('no_effect');
    }
  });

  test.each(feedback)('claude §6 exit 2: of a %s hook is feedback', async (event) => {
    const result = await fireClaude(moment(event), 'echo nope >&2; exit 2');
    expect(JSON.stringify([result.verdict.reason, specificOf(result)['additionalContext']])).toContain('nope');
  });

  test.each(others)('claude §6 exit 2: of a %s hook decides nothing, and the user is notified', async (...each) => {
    const result = await fireClaude(each, 'echo nope >&2; exit 2');
    expect(result.verdict).toEqual({ kind: 'none', stop: false, by: [], stoppedBy: [] });
    expect(toldTheUser(result)).toContain('nope');
    expect(specificOf(result)).not.toHaveProperty('additionalContext');
    expect(result.finalOutput?.systemMessage).toBeUndefined();
  });

  test.each<[string, string, string]>([
    ['the reason of stdout before stderr', `${says({ decision: 'block', reason: 'b' })}; echo a >&2`, 'b'],
    [
      'the permissionDecisionReason of stdout before stderr',
      `${specific('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: 'b' })}; echo a >&2`,
      'b',
    ],
    ['stderr before the text of stdout', 'echo b; echo a >&2', 'a'],
    ['the text of stdout before a default', 'echo b', 'b'],
  ])('claude §6 exit 2: the reason is %s', async (_, command, reason) => {
    expect((await fireBash(`${command}; exit 2`)).verdict).toMatchObject({ kind: 'deny', reason });
  });

  test('claude §6 exit 2: a silent one has a reason that names the hook', async () => {
    expect((await fireBash('exit 2')).verdict).toMatchObject({ kind: 'deny', reason: expect.stringContaining('"exit 2"') });
  });

  test('claude §6 exit 2: its stop and its message count', async () => {
    const result = await fireBash(`${says({ continue: false, stopReason: 's', systemMessage: 'm' })}; echo no >&2; exit 2`);
    expect(result.verdict).toMatchObject({ kind: 'deny', stop: true, stopReason: 's' });
    expect(specificOf(result)).toMatchObject({ userMessage: 'm' });
  });

  test.each([1, 3, 100])('claude §6: JSON on stdout counts with exit %s, whatever it says', async (exitCode) => {
    const output = { systemMessage: 'm', hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: 'c' } };
    const result = await fireBash(`${says(output)}; exit ${exitCode}`);
    expect(result.verdict.kind).toBe('none');
    expect(specificOf(result)).toMatchObject({ userMessage: 'm', additionalContext: 'c' });
    expect(warningCodes(outcomeAt(result, 0))).toContain('exit_code');
  });

  test('claude §6: an output that was cut off is a failure, and never an answer', async () => {
    const result = await fireBash(`printf '{"a":"'; head -c 17000000 /dev/zero | tr '\\0' x`);
    expect(result.verdict.kind).toBe('none');
    expect(outcomeAt(result, 0)).toMatchObject({ status: 'failed' });
    expect(warningCodes(outcomeAt(result, 0))).toContain('output_truncated');
  });
});

describe('failures', () => {
  /** Tests whether the tool runs. */
  async function runsTool(client: HookClient): Promise<boolean> {
    const tool = recordingTool();
    const call = await executeToolWithHooks(client, { name: 'run_shell_command', input: { command: 'npm test' }, ...tool });
    expect(call.status).toBe(tool.calls.length === 1 ? 'executed' : 'blocked');
    return tool.calls.length === 1;
  }

  const blocks = { onFailure: 'block' };

  test('exit 1 without JSON: the tool runs, and a warning has stderr', async () => {
    await withClaude(preToolUse('echo text; echo broke >&2; exit 1'), async ({ handler, client }) => {
      const result = await callBash(handler);
      expect(result.verdict.kind).toBe('none');
      expect(outcomeAt(result, 0)).toMatchObject({ status: 'failed', exitCode: 1 });
      expect(outcomeAt(result, 0).warnings).toMatchObject([{ code: 'exit_code', message: expect.stringContaining('broke') }]);
      expect(result).toMatchObject({ success: false, errors: [{ code: 'exit_code', hookId: idOf() }] });
      expect(await runsTool(client)).toBe(true);
    });
  });

  test('with onFailure "block" it denies, naming the hook', async () => {
    await withClaude(preToolUse(command('echo broke >&2; exit 1', blocks)), async ({ handler, client }) => {
      const result = await callBash(handler);
      expect(result.verdict).toMatchObject({ kind: 'deny', reason: expect.stringContaining('echo broke >&2; exit 1'), by: [idOf()] });
      expect(outcomeAt(result, 0)).toMatchObject({ status: 'failed', failedClosed: true });
      expect(warningCodes(outcomeAt(result, 0))).toEqual(['exit_code', 'failed_closed']);
      // The warning uses the name of the field in the settings.
      expect(JSON.stringify(outcomeAt(result, 0).warnings)).toContain('onFailure');
      expect(JSON.stringify(result)).not.toContain('onError');
      expect(await runsTool(client)).toBe(false);
    });
  });

  test('onFailure "continue" is what is meant without it, and another word is a diagnostic', async () => {
    await withClaude(preToolUse(command('exit 1', { onFailure: 'continue' })), async ({ hooks, handler }) => {
      expect(hooks.diagnostics).toEqual([]);
      expect((await callBash(handler)).verdict.kind).toBe('none');
    });
    await withClaude(preToolUse(command('exit 1', { onFailure: 'deny' })), async ({ hooks, handler }) => {
      expect(hooks.diagnostics).toMatchObject([{ code: 'invalid_field', path: 'hooks.PreToolUse[0].hooks[0].onFailure' }]);
      expect((await callBash(handler)).verdict.kind).toBe('none');
    });
  });

  test('exit 127 is not an opinion and a warning that names the command', async () => {
    const result = await fireBash('/no/such/guard.sh');
    expect(result.verdict.kind).toBe('none');
    expect(outcomeAt(result, 0)).toMatchObject({ status: 'failed', exitCode: 127 });
    expect(outcomeAt(result, 0).warnings[0]).toMatchObject({
      code: 'missing_command',
      message: expect.stringContaining('/no/such/guard.sh'),
    });
  });

  test('with onFailure "block" it denies', async () => {
    const result = await fireBash(command('/no/such/guard.sh', blocks));
    expect(result.verdict).toMatchObject({ kind: 'deny', by: [idOf()] });
    expect(outcomeAt(result, 0)).toMatchObject({ status: 'failed', exitCode: 127, failedClosed: true });
  });

  test('claude §6: a program that cannot be started, and a signal, are failures; onFailure applies', async () => {
    for (const handler of [command('/no/such/program', { args: ['x'] }), command('kill -9 $$')]) {
      expect(deeds(await fireBash(handler))).toEqual(['failed']);
      expect((await fireBash(handler)).verdict.kind).toBe('none');
      expect((await fireBash({ ...handler, ...blocks })).verdict).toMatchObject({ kind: 'deny', by: [idOf()] });
    }
  });

  test('a timeout of 1 is a second and no millisecond; the tool runs', async () => {
    const mark = globalThis.crypto.randomUUID();
    await withEnvironment({ TENTERHOOK_TEST: mark }, async () => {
      const slow = command('touch lived; sleep 30; echo x', { timeout: 1 });
      await withClaude(preToolUse(slow), async ({ hooks, handler, client, progress, read }) => {
        expect(hooks.diagnostics).toEqual([]);
        const [result, ran] = await Promise.all([callBash(handler), runsTool(client)]);
        expect(result.verdict.kind).toBe('none');
        const message = expect.stringMatching(/\b1000 ms\b|\b1 s\b/);
        expect(outcomeAt(result, 0)).toMatchObject({ status: 'timed-out', warnings: [{ code: 'timeout', message }] });
        expect(outcomeAt(result, 0)).not.toHaveProperty('output');
        expect(progress).toContainEqual(expect.objectContaining({ kind: 'hook-started', timeoutMs: 1000 }));
        expect(read('lived')).toBe('');
        expect(ran).toBe(true);
        await until('no process of the hook is left', () => processesWith(mark).length === 0);
      });
    });
  });

  test('with onFailure "block" a timeout denies', async () => {
    await withClaude(preToolUse(command('sleep 30; echo x', { timeout: 1, ...blocks })), async ({ handler, client }) => {
      const [result, ran] = await Promise.all([callBash(handler), runsTool(client)]);
      expect(result.verdict).toMatchObject({ kind: 'deny', by: [idOf()] });
      expect(outcomeAt(result, 0)).toMatchObject({ status: 'timed-out', failedClosed: true });
      expect(ran).toBe(false);
    });
  });

  test.each(['Stop', 'SubagentStop', 'TaskCompleted', 'TeammateIdle'])(
    'claude §1: onFailure has no effect on %s, with a load warning',
    async (event) => {
      const [, eventName, input] = moment(event);
      await withClaude(hooksOf(event, command('exit 1', blocks)), async ({ hooks, handler }) => {
        expect(hooks.diagnostics).toMatchObject([{ severity: 'warning', path: `hooks.${event}[0].hooks[0].onFailure` }]);
        const result = await handler.fire(eventName, input);
        expect(result.verdict.kind).toBe('none');
        expect(deeds(result)).toEqual(['failed']);
      });
    },
  );

  test('claude §1: an async hook with it is waited for, with a warning', async () => {
    await withClaude(preToolUse(command('exit 1', { ...blocks, async: true })), async ({ hooks, handler }) => {
      expect(hooks.diagnostics).toMatchObject([{ severity: 'warning', path: 'hooks.PreToolUse[0].hooks[0].async' }]);
      expect((await callBash(handler)).verdict.kind).toBe('deny');
    });
  });

  test('claude §6: a hook that fails costs the deny of another nothing', async () => {
    const result = await fireBash(['exit 1', 'echo no >&2; exit 2', '/no/such/hook']);
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no', by: [idOf('0.1')] });
    expect(deeds(result)).toEqual(['failed', 'blocked', 'failed']);
  });

  test('claude §6: WorktreeCreate fails with any exit code but 0', async () => {
    for (const exitCode of [1, 2, 3]) {
      const result = await fireClaude(moment('WorktreeCreate'), `echo no room >&2; exit ${exitCode}`);
      expect(result.verdict).toMatchObject({ kind: 'deny', reason: expect.stringContaining('no room') });
    }
  });

  test('claude §6: a WorktreeCreate hook that fails has not made it, whatever it printed', async () => {
    const line = `echo '{"hookSpecificOutput":{"hookEventName":"WorktreeCreate","worktreePath":"/x"}}'; exit 1`;
    const result = await fireClaude(moment('WorktreeCreate'), line);
    expect(result.verdict.kind).toBe('deny');
    expect(result.finalOutput?.hookSpecificOutput?.['worktreePath']).toBeUndefined();
  });
});
