import { executeToolWithHooks, type HookClient } from '@tenterhook/agent';
import { recordingTool } from '../support/agent.js';
import { withEnvironment } from '../support/environment.js';
import { outcomeAt, processesWith, warningCodes } from '../support/fire-hooks.js';
import { until } from '../support/until.js';
import { callBash, command, deeds, fireBash, fireClaude, hooksOf, idOf, preToolUse, withClaude } from './claude-hooks.js';
import { moment } from './moments.js';

/** Whether the tool runs. */
async function runsTool(client: HookClient): Promise<boolean> {
  const tool = recordingTool();
  const call = await executeToolWithHooks(client, { name: 'run_shell_command', input: { command: 'npm test' }, ...tool });
  expect(call.status).toBe(tool.calls.length === 1 ? 'executed' : 'blocked');
  return tool.calls.length === 1;
}

const blocks = { onFailure: 'block' };

test('claude 4: exit 1 without JSON: the tool runs, and a warning has stderr', async () => {
  await withClaude(preToolUse('echo text; echo broke >&2; exit 1'), async ({ handler, client }) => {
    const result = await callBash(handler);
    expect(result.verdict.kind).toBe('none');
    expect(outcomeAt(result, 0)).toMatchObject({ status: 'failed', exitCode: 1 });
    expect(outcomeAt(result, 0).warnings).toMatchObject([{ code: 'exit_code', message: expect.stringContaining('broke') }]);
    expect(result).toMatchObject({ success: false, errors: [{ code: 'exit_code', hookId: idOf() }] });
    expect(await runsTool(client)).toBe(true);
  });
});

test('claude 4: with onFailure "block" it denies, naming the hook', async () => {
  await withClaude(preToolUse(command('echo broke >&2; exit 1', blocks)), async ({ handler, client }) => {
    const result = await callBash(handler);
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: expect.stringContaining('echo broke >&2; exit 1'), by: [idOf()] });
    expect(outcomeAt(result, 0)).toMatchObject({ status: 'failed', failedClosed: true });
    expect(warningCodes(outcomeAt(result, 0))).toEqual(['exit_code', 'failed_closed']);
    // By the name that its author wrote.
    expect(JSON.stringify(outcomeAt(result, 0).warnings)).toContain('onFailure');
    expect(JSON.stringify(result)).not.toContain('onError');
    expect(await runsTool(client)).toBe(false);
  });
});

test('claude 4: onFailure "continue" is what is meant without it, and another word is a diagnostic', async () => {
  await withClaude(preToolUse(command('exit 1', { onFailure: 'continue' })), async ({ hooks, handler }) => {
    expect(hooks.diagnostics).toEqual([]);
    expect((await callBash(handler)).verdict.kind).toBe('none');
  });
  await withClaude(preToolUse(command('exit 1', { onFailure: 'deny' })), async ({ hooks, handler }) => {
    expect(hooks.diagnostics).toMatchObject([{ code: 'invalid_field', path: 'hooks.PreToolUse[0].hooks[0].onFailure' }]);
    expect((await callBash(handler)).verdict.kind).toBe('none');
  });
});

test('claude 5: exit 127 is no opinion and a warning that names the command', async () => {
  const result = await fireBash('/no/such/guard.sh');
  expect(result.verdict.kind).toBe('none');
  expect(outcomeAt(result, 0)).toMatchObject({ status: 'failed', exitCode: 127 });
  expect(outcomeAt(result, 0).warnings[0]).toMatchObject({
    code: 'missing_command',
    message: expect.stringContaining('/no/such/guard.sh'),
  });
});

test('claude 5: with onFailure "block" it denies', async () => {
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

test('claude 22: a timeout of 1 is a second and no millisecond; the tool runs', async () => {
  const mark = globalThis.crypto.randomUUID();
  await withEnvironment({ TENTERHOOK_TEST: mark }, async () => {
    const slow = command('touch lived; sleep 30; echo x', { timeout: 1 });
    await withClaude(preToolUse(slow), async ({ hooks, handler, client, progress, read }) => {
      expect(hooks.diagnostics).toEqual([]);
      const result = await callBash(handler);
      expect(result.verdict.kind).toBe('none');
      const message = expect.stringMatching(/\b1000 ms\b|\b1 s\b/);
      expect(outcomeAt(result, 0)).toMatchObject({ status: 'timed-out', warnings: [{ code: 'timeout', message }] });
      expect(outcomeAt(result, 0)).not.toHaveProperty('output');
      expect(progress).toContainEqual(expect.objectContaining({ kind: 'hook-started', timeoutMs: 1000 }));
      expect(read('lived')).toBe('');
      expect(await runsTool(client)).toBe(true);
      await until('no process of the hook is left', () => processesWith(mark).length === 0);
    });
  });
});

test('claude 22: with onFailure "block" a timeout denies', async () => {
  await withClaude(preToolUse(command('sleep 30; echo x', { timeout: 1, ...blocks })), async ({ handler, client }) => {
    const result = await callBash(handler);
    expect(result.verdict).toMatchObject({ kind: 'deny', by: [idOf()] });
    expect(outcomeAt(result, 0)).toMatchObject({ status: 'timed-out', failedClosed: true });
    expect(await runsTool(client)).toBe(false);
  });
});

test.each(['Stop', 'SubagentStop', 'TaskCompleted', 'TeammateIdle'])(
  'claude §1: onFailure has no effect on %s, and a load warning says so',
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

test('claude §1: nor has it on an async hook', async () => {
  await withClaude(preToolUse(command('exit 1', { ...blocks, async: true })), async ({ hooks, handler }) => {
    expect(hooks.diagnostics).toMatchObject([{ severity: 'warning', path: 'hooks.PreToolUse[0].hooks[0].onFailure' }]);
    expect((await callBash(handler)).verdict.kind).toBe('none');
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
