import { withEnvironment } from '../support/environment.js';
import { callBash, command, type Handler, hooksOf, preToolUse, withClaude } from './claude-hooks.js';
import { moment } from './moments.js';

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
  ['PreToolUse', { type: 'http', url: 'http://127.0.0.1/' }, 600_000],
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
  await withClaude(hooksOf('SessionEnd', 'sleep 30'), async ({ handler }) => {
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
