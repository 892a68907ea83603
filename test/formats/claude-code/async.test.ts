import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { executeToolWithHooks } from '@tenterhook/agent';
import type { HookExecutionProgress } from '@tenterhook/protocol';
import { recordingTool } from '../../support/agent.js';
import { withEnvironment } from '../../support/environment.js';
import { outcomeAt, ownProcesses, processesWith, says } from '../../support/fire-hooks.js';
import { until } from '../../support/until.js';
import {
  type ClaudeScene,
  callBash,
  command,
  deeds,
  fireBash,
  type Handler,
  type HookGroups,
  hooksOf,
  preToolUse,
  specificOf,
  withClaude,
} from './claude-hooks.js';
import { moment } from './moments.js';

/** Runs hooks that continue after their event and end with the system. */
const withAsync = <Result>(hooks: HookGroups, use: (scene: ClaudeScene) => Promise<Result>) => withClaude(hooks, use, ownProcesses);

describe('async hooks', () => {
  /** Waits for a file that lets the hook continue, so that the test does not depend on time. */
  const waitsFor = (file: string) => `until [ -e ${file} ]; do sleep 0.02; done`;

  function letGo({ projectDir }: ClaudeScene): void {
    writeFileSync(join(projectDir, 'go'), '');
  }

  type Late = Extract<HookExecutionProgress, { kind: 'hook-finished' }>;

  /** Resolves to the end of an asynchronous hook. */
  async function lateEnd({ progress }: ClaudeScene): Promise<Late> {
    const find = () => progress.find((message): message is Late => message.kind === 'hook-finished' && message.late === true);
    await until('the hook has ended', () => find() !== undefined);
    return find() as Late;
  }

  test('with async true the tool runs at once, and a block is a warning that it came too late', async () => {
    const hook = command(`${waitsFor('go')}; echo no >&2; exit 2`, { async: true });
    await withAsync(preToolUse(hook), async (scene) => {
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

  test('one that says nothing has nothing to warn of, and what it says beside a block counts for nothing', async () => {
    const everything = says({
      continue: false,
      systemMessage: 'm',
      hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { command: 'ls' } },
    });
    await withAsync(preToolUse(command(everything, { async: true })), async (scene) => {
      const result = await callBash(scene.handler);
      expect(result.verdict).toMatchObject({ kind: 'none', stop: false });
      expect(result.changes).toEqual([]);
      expect(specificOf(result)).toEqual({});
      await lateEnd(scene);
    });
    await withAsync(preToolUse(command('true', { async: true })), async (scene) => {
      expect(deeds(await callBash(scene.handler))).toEqual(['detached']);
      expect((await lateEnd(scene)).outcome).toMatchObject({ exitCode: 0, warnings: [] });
    });
  });

  test('claude §5 async: a first line {"async": true} is the same, said by the hook itself', async () => {
    const hook = command(`${says({ async: true })}; ${waitsFor('go')}; echo no >&2; exit 2`, { allowAsync: true });
    await withAsync(preToolUse(hook), async (scene) => {
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
      const hook = command(`${says({ async: true, asyncTimeout: 200 })}; sleep 600`, { allowAsync: true });
      await withAsync(preToolUse(hook), async (scene) => {
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
    const result = await fireBash([command(`${text}; echo no >&2; exit 2`, { allowAsync: true })]);
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
    expect(outcomeAt(result, 0).status).toBe('blocked');
  });

  test('claude §5 async: a value that is neither true nor false is a diagnostic, and the hook is waited for', async () => {
    await withAsync(preToolUse(command('exit 2', { async: 'true' })), async ({ hooks, handler }) => {
      expect(hooks.diagnostics).toMatchObject([{ code: 'invalid_field', path: 'hooks.PreToolUse[0].hooks[0].async' }]);
      expect((await callBash(handler)).verdict.kind).toBe('deny');
    });
  });

  test('claude §5 async: without "allowAsync" the line is waited for, and its message says what to write', async () => {
    const result = await fireBash([command(`${says({ async: true })}; echo no >&2; exit 2`)]);
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
    const message = expect.stringContaining('write "allowAsync": true in its settings');
    expect(outcomeAt(result, 0).warnings).toContainEqual({ code: 'async_ignored', message });
  });

  test.each([
    ['"true"', { allowAsync: 'true' }, 'error'],
    ['beside "onFailure": "block"', { allowAsync: true, onFailure: 'block' }, 'warning'],
  ])('claude §5 async: "allowAsync" %s is a diagnostic, and the hook is waited for', async (_, fields, severity) => {
    await withAsync(preToolUse(command(`${says({ async: true })}; exit 2`, fields)), async ({ hooks, handler }) => {
      expect(hooks.diagnostics).toMatchObject([{ code: 'invalid_field', severity, path: 'hooks.PreToolUse[0].hooks[0].allowAsync' }]);
      expect((await callBash(handler)).verdict.kind).toBe('deny');
    });
  });

  test('claude §7 asyncRewake: exit code 2 is marked in the message, with what the hook printed, and is not a deny that came late', async () => {
    const hook = command('echo out; echo "build broke" >&2; exit 2', { asyncRewake: true });
    await withAsync(preToolUse(hook), async (scene) => {
      expect(scene.hooks.hooks.BeforeTool).toMatchObject([{ async: true, rewake: true }]);
      expect(deeds(await callBash(scene.handler))).toEqual(['detached']);
      const end = await lateEnd(scene);
      expect(end).toMatchObject({ rewake: true, outcome: { exitCode: 2, stderr: 'build broke\n', stdout: 'out\n', warnings: [] } });
    });
  });

  test('claude §7 asyncRewake: it calls onWake of the agent, with stderr', async () => {
    const hook = command('echo out; echo "build broke" >&2; exit 2', { asyncRewake: true });
    await withAsync(hooksOf('Stop', hook), async ({ hooks }) => {
      const woken = new Promise((resolve) => {
        const agent = hooks.agent({ onWake: resolve });
        void agent.answer({ prompt: 'p', response: 'r' });
      });
      expect(await woken).toMatchObject({ text: 'build broke', eventName: 'AfterAgent' });
    });
  });

  test('claude §7 async: its context and its message come with the next prompt', async () => {
    const said = { systemMessage: 'Tests ran.', hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: '2 tests failed' } };
    await withAsync(preToolUse(command(says(said), { async: true })), async (scene) => {
      const agent = scene.hooks.agent();
      await agent.tool({ name: 'run_shell_command', input: { command: 'ls' }, ...recordingTool() });
      await lateEnd(scene);
      const { promptForModel, userMessages } = await agent.prompt({ prompt: 'next' });
      expect(promptForModel).toBe('next\n\n<hook_context>\n2 tests failed\n</hook_context>');
      expect(userMessages).toEqual(['Tests ran.']);
    });
  });

  test.each([
    ['exit code 0', 'true', { asyncRewake: true }],
    ['a deny with exit code 0', says({ decision: 'block', reason: 'no' }), { asyncRewake: true }],
    ['"async" alone', 'echo no >&2; exit 2', { async: true }],
  ])('claude §7 asyncRewake: %s is not marked', async (_, text, fields) => {
    await withAsync(preToolUse(command(text, fields)), async (scene) => {
      await callBash(scene.handler);
      expect(await lateEnd(scene)).not.toHaveProperty('rewake');
    });
  });

  test('claude §7 asyncRewake: beside "onFailure": "block" the hook is waited for, and denies', async () => {
    await withAsync(preToolUse(command('echo no >&2; exit 2', { asyncRewake: true, onFailure: 'block' })), async ({ hooks, handler }) => {
      expect(hooks.diagnostics).toMatchObject([{ code: 'invalid_field', severity: 'warning' }]);
      expect(hooks.hooks.BeforeTool[0]).not.toHaveProperty('rewake');
      expect((await callBash(handler)).verdict.kind).toBe('deny');
    });
  });

  test('claude §7 asyncRewake: of two copies of a hook, the one that runs wakes the agent if either does', async () => {
    const hooks = [command('exit 2', { async: true }), command('exit 2', { asyncRewake: true })];
    await withAsync(preToolUse(hooks), async (scene) => {
      expect(deeds(await callBash(scene.handler))).toEqual(['detached', 'skipped: duplicate']);
      expect(await lateEnd(scene)).toMatchObject({ rewake: true });
    });
  });

  test('claude §3 async: a sibling that is waited for decides', async () => {
    const result = await fireBash([command('sleep 0.1', { async: true }), 'echo no >&2; exit 2']);
    expect(deeds(result)).toEqual(['detached', 'blocked']);
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
  });
});

describe('timeouts', () => {
  const callbacks = { prompt: () => ({ ok: true }), agent: () => ({ ok: true }), mcp_tool: () => '' };

  /** Milliseconds that a handler of an event has. */
  async function timeOf(event: string, handler: Handler | readonly Handler[]): Promise<number[]> {
    return withClaude(
      {},
      async ({ hooks }) => {
        expect(hooks.diagnostics).toEqual([]);
        return hooks.hooks[moment(event)[1]].map(({ timeoutMs }) => timeoutMs);
      },
      { settings: { hooks: hooksOf(event, handler) }, callbacks },
    );
  }

  test.each<[string, Handler, number]>([
    ['PreToolUse', 'true', 600_000],
    ['Stop', 'true', 600_000],
    ['PreToolUse', { type: 'http', url: 'https://example.org/' }, 600_000],
    ['PreToolUse', { type: 'mcp_tool', server: 's', tool: 't' }, 600_000],
    ['PreToolUse', { type: 'prompt', prompt: 'p' }, 30_000],
    ['PreToolUse', { type: 'agent', prompt: 'p' }, 60_000],
    ['UserPromptSubmit', 'true', 30_000],
    ['MessageDisplay', 'true', 10_000],
    ['SessionEnd', 'true', 1500],
  ])('claude §7 timeout: of %s %j it is %s ms by itself', async (event, handler, expected) => {
    expect(await timeOf(event, handler)).toEqual([expected]);
  });

  test.each<[string, number, number]>([
    ['PreToolUse', 10, 10_000],
    ['PreToolUse', 0.5, 500],
    ['UserPromptSubmit', 60, 60_000],
  ])('claude §7 timeout: of %s with the timeout %s it is %s ms', async (event, timeout, expected) => {
    expect(await timeOf(event, command('true', { timeout }))).toEqual([expected]);
  });

  test('claude §7 timeout: SessionEnd has a budget of 1.5 s, raised to the largest configured timeout, up to 60 s', async () => {
    const withTimeout = (timeout: number) => command(`true # ${timeout}`, { timeout });
    expect(await timeOf('SessionEnd', withTimeout(5))).toEqual([5000]);
    expect(await timeOf('SessionEnd', withTimeout(120))).toEqual([60_000]);
    expect(await timeOf('SessionEnd', withTimeout(1))).toEqual([1000]);
    const [plain, larger] = await timeOf('SessionEnd', ['true', withTimeout(5)]);
    expect(larger).toBe(5000);
    expect(plain).toBeLessThanOrEqual(5000);
    expect(plain).toBeGreaterThanOrEqual(1500);
  });

  test('claude §7 timeout: the budget of SessionEnd is a variable, too', async () => {
    await withEnvironment({ CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS: '4000' }, async () =>
      expect(await timeOf('SessionEnd', 'true')).toEqual([4000]),
    );
  });

  test('claude §7 timeout: at the end of the budget the hook of SessionEnd is settled', async () => {
    await withAsync(hooksOf('SessionEnd', 'sleep 30'), async ({ handler }) => {
      expect((await handler.fireSessionEndEvent('exit')).outcomes).toMatchObject([{ status: 'timed-out' }]);
    });
  });

  test.each([0, -1, '10', null, 1e12])('claude §7 timeout: %j is a diagnostic, and the default is used', async (timeout) => {
    await withClaude(preToolUse(command('true', { timeout })), async ({ hooks, handler }) => {
      expect(hooks.diagnostics).toMatchObject([{ code: 'invalid_timeout', path: 'hooks.PreToolUse[0].hooks[0].timeout' }]);
      expect(hooks.hooks.BeforeTool).toMatchObject([{ timeoutMs: 600_000 }]);
      expect((await callBash(handler)).outcomes).toMatchObject([{ status: 'succeeded' }]);
    });
  });

  test('claude §8: a timeout that looks like milliseconds is a load warning', async () => {
    await withClaude(preToolUse(command('true', { timeout: 30_000 })), async ({ hooks }) => {
      expect(hooks.diagnostics).toMatchObject([
        {
          code: 'suspicious_timeout',
          severity: 'warning',
          path: 'hooks.PreToolUse[0].hooks[0].timeout',
          remedy: expect.stringContaining('30'),
        },
      ]);
    });
  });
});
