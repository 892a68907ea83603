import type { Exit, HookExecutor } from '@tenterhook/protocol';
import { RanRanks } from '../../src/runner/ran-ranks.js';
import { runStage } from '../../src/runner/run-stage.js';
import { fakeDialect, hookOf, listenTo, toolEvent } from '../engine-rig.js';

const captured = { stdout: '', stderr: '', stdoutBytes: 0, stderrBytes: 0, stdoutTruncated: false, stderrTruncated: false };
const killed: Exit = { kind: 'signalled', signal: 'SIGKILL', durationMs: 1, ...captured, invalidUtf8: false };

test('a guard that is killed before the start of the killer is reported is asked again', async () => {
  let runsOfGuard = 0;
  let reportKiller = () => {};
  const executor: HookExecutor = {
    kind: 'call',
    run: async (_invocation, hook, _event, { onStart }) => {
      if (hook.id === 'killer') {
        // Two processes report over two pipes, and this report arrives last.
        await new Promise<void>((resolve) => {
          reportKiller = resolve;
        });
        onStart();
        return { kind: 'answered', answer: undefined, durationMs: 1 };
      }
      onStart();
      runsOfGuard += 1;
      if (runsOfGuard > 1) return { kind: 'answered', answer: { decision: 'deny', reason: 'not that' }, durationMs: 1 };
      setImmediate(() => reportKiller());
      return killed;
    },
  };
  const command = { kind: 'command', command: 'true' } as const;
  const hooks = [hookOf('guard', { action: command }), hookOf('killer', { source: 'project', action: command })];
  const signal = new AbortController().signal;
  const outcomes = await runStage({ hooks }, toolEvent, toolEvent, {
    dialects: [fakeDialect()],
    executors: new Map([['call', executor]]),
    environment: () => ({}),
    signal,
    disposeSignal: signal,
    report: listenTo({}),
    ranRanks: new RanRanks(),
  });
  expect(outcomes).toMatchObject([{ status: 'blocked', warnings: [{ code: 'asked_again' }] }, { status: 'succeeded' }]);
});
