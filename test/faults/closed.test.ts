import type { AggregatedHookResult } from '@tenterhook/protocol';
import type { CreateHooksOptions } from 'tenterhook';
import { type HookText, outcomeAt, says, settingsOf, withHooks } from '../support/fire-hooks.js';
import { fault } from './fault.js';

const by = ['llxprt/settings/BeforeTool/guard'];

/** Fires an event with a guard, alone or after another hook of its stage. */
function fireGuarded(
  guard: Exclude<HookText, string>,
  options: CreateHooksOptions = {},
  others: readonly HookText[] = [],
): Promise<AggregatedHookResult> {
  const settings = settingsOf('BeforeTool', [...others, { name: 'guard', onError: 'block', ...guard }]);
  return withHooks({ settings, ...options }, ({ handler }) => handler.fireBeforeToolEvent('write_file', {}));
}

function expectFailedClosed(result: AggregatedHookResult, status: string, cause: string): void {
  expect(result).toMatchObject({ success: false, verdict: { kind: 'deny', by } });
  expect(result.verdict.reason).toContain('hook "guard" denies because it could not do its work (onError: block)');
  expect(result.verdict.reason).toContain(cause);
  expect(result.outcomes.at(-1)).toMatchObject({ name: 'guard', status, failedClosed: true });
}

fault('B1', async () => {
  expectFailedClosed(
    await fireGuarded({ command: 'echo oops >&2; exit 1' }),
    'failed',
    'failed with exit code 1. Exit with 2 to deny. It printed: oops',
  );
  expectFailedClosed(await fireGuarded({ command: 'kill -KILL $$' }), 'failed', 'was ended by SIGKILL');
});

fault('B2', async () => {
  expectFailedClosed(await fireGuarded({ command: 'exec sleep 300', timeout: 300 }), 'timed-out', 'did not end within 300 ms');
});

fault('B3', async () => {
  expectFailedClosed(await fireGuarded({ command: './no-such-guard' }), 'failed', './no-such-guard');
  expectFailedClosed(await fireGuarded({ command: 'true' }, { advanced: { cwd: '/no/such/directory' } }), 'failed', '/no/such/directory');
});

fault('B4', async () => {
  const result = await fireGuarded({ command: says({ decision: 'allow' }) }, { limits: { stdoutBytes: 10 } });
  expectFailedClosed(result, 'failed', 'more than the limit');
});

fault('B5', async () => {
  expectFailedClosed(await fireGuarded({ command: says({ decision: 'DENY' }) }), 'failed', 'decision has an invalid value: "DENY"');
  expectFailedClosed(await fireGuarded({ command: `printf '{"decision":'` }), 'failed', 'is not valid JSON');
});

fault('B6', async () => {
  const result = await fireGuarded({ command: 'true' }, { limits: { concurrency: 1, queued: 0 } }, ['true']);
  expectFailedClosed(result, 'cancelled', 'did not run: more hooks are waiting than limits.queued allows');
});

fault('B7', async () => {
  const result = await fireGuarded({ command: 'echo "not today" >&2; exit 2' });
  expect(result.verdict).toMatchObject({ kind: 'deny', by, reason: 'not today' });
  expect(outcomeAt(result, 0).status).toBe('blocked');
  expect(outcomeAt(result, 0)).not.toHaveProperty('failedClosed');
});
