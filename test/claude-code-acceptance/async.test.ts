import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { executeToolWithHooks } from '@tenterhook/agent';
import type { HookExecutionProgress } from '@tenterhook/protocol';
import { recordingTool } from '../support/agent.js';
import { withEnvironment } from '../support/environment.js';
import { outcomeAt, processesWith, says } from '../support/fire-hooks.js';
import { until } from '../support/until.js';
import { type ClaudeScene, callBash, command, deeds, fireBash, preToolUse, specificOf, withClaude } from './claude-hooks.js';

/** A file that lets the hook go on, so that nobody has to guess how long it takes. */
const waitsFor = (file: string) => `until [ -e ${file} ]; do sleep 0.02; done`;

function letGo({ projectDir }: ClaudeScene): void {
  writeFileSync(join(projectDir, 'go'), '');
}

type Late = Extract<HookExecutionProgress, { kind: 'hook-finished' }>;

/** The end of a hook that nobody waited for. */
async function lateEnd({ progress }: ClaudeScene): Promise<Late> {
  const find = () => progress.find((message): message is Late => message.kind === 'hook-finished' && message.late === true);
  await until('the hook has ended', () => find() !== undefined);
  return find() as Late;
}

test('claude 31: with async true the tool runs at once, and a block is a warning that it came too late', async () => {
  const hook = command(`${waitsFor('go')}; echo no >&2; exit 2`, { async: true });
  await withClaude(preToolUse(hook), async (scene) => {
    const tool = recordingTool();
    const call = await executeToolWithHooks(scene.client, { name: 'run_shell_command', input: { command: 'npm test' }, ...tool });
    expect(call.status).toBe('executed');
    expect(tool.calls).toHaveLength(1);
    expect(call.before).toMatchObject({ verdict: { kind: 'none', by: [] }, outcomes: [{ status: 'detached' }] });
    letGo(scene);
    const { outcome } = await lateEnd(scene);
    expect(outcome.warnings).toContainEqual({ code: 'late_answer', message: expect.any(String) });
  });
});

test('claude 31: one that says nothing has nothing to warn of, and what it says beside a block counts for nothing', async () => {
  const everything = says({
    continue: false,
    systemMessage: 'm',
    hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { command: 'ls' } },
  });
  await withClaude(preToolUse(command(everything, { async: true })), async (scene) => {
    const result = await callBash(scene.handler);
    expect(result.verdict).toMatchObject({ kind: 'none', stop: false });
    expect(result.changes).toEqual([]);
    expect(specificOf(result)).toEqual({});
    await lateEnd(scene);
  });
  await withClaude(preToolUse(command('true', { async: true })), async (scene) => {
    expect(deeds(await callBash(scene.handler))).toEqual(['detached']);
    expect((await lateEnd(scene)).outcome).toMatchObject({ exitCode: 0, warnings: [] });
  });
});

test('claude §5 async: a first line {"async": true} is the same, said by the hook itself', async () => {
  const hook = `${says({ async: true })}; ${waitsFor('go')}; echo no >&2; exit 2`;
  await withClaude(preToolUse(hook), async (scene) => {
    const tool = recordingTool();
    const call = await executeToolWithHooks(scene.client, { name: 'run_shell_command', input: { command: 'npm test' }, ...tool });
    expect(call.status).toBe('executed');
    expect(call.before).toMatchObject({ verdict: { kind: 'none' }, outcomes: [{ status: 'detached' }] });
    letGo(scene);
    expect((await lateEnd(scene)).outcome.warnings).toContainEqual({ code: 'late_answer', message: expect.any(String) });
  });
});

test('claude §5 async: its asyncTimeout, in milliseconds, is its time from then on', async () => {
  const mark = globalThis.crypto.randomUUID();
  await withEnvironment({ TENTERHOOK_TEST: mark }, async () => {
    await withClaude(preToolUse(`${says({ async: true, asyncTimeout: 200 })}; sleep 600`), async (scene) => {
      expect(deeds(await callBash(scene.handler))).toEqual(['detached']);
      expect((await lateEnd(scene)).outcome).toMatchObject({ status: 'timed-out' });
      await until('no process of the hook is left', () => processesWith(mark).length === 0);
    });
  });
});

test.each([
  ['behind another line', `echo working; ${says({ async: true })}`],
  ['with another value', says({ async: 'true' })],
  ['of false', says({ async: false })],
])('claude §5 async: a line %s is waited for', async (_, text) => {
  const result = await fireBash(`${text}; echo no >&2; exit 2`);
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
  expect(outcomeAt(result, 0).status).toBe('blocked');
});

test('claude §5 async: a value that is neither true nor false is a diagnostic, and the hook is waited for', async () => {
  await withClaude(preToolUse(command('exit 2', { async: 'true' })), async ({ hooks, handler }) => {
    expect(hooks.diagnostics).toMatchObject([{ code: 'invalid_field', path: 'hooks.PreToolUse[0].hooks[0].async' }]);
    expect((await callBash(handler)).verdict.kind).toBe('deny');
  });
});

test('claude §3 async: a sibling that is waited for decides', async () => {
  const result = await fireBash([command('sleep 0.1', { async: true }), 'echo no >&2; exit 2']);
  expect(deeds(result)).toEqual(['detached', 'blocked']);
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
});
