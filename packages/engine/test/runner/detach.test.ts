import { jest } from '@jest/globals';
import type { Detachment, Exit, HookExecutor, Invocation } from '@tenterhook/protocol';
import type { Progress } from '../../src/events/progress.js';
import { containExecutor } from '../../src/runner/contain-executor.js';
import { runDetachable } from '../../src/runner/detach.js';
import { runStage } from '../../src/runner/run-stage.js';
import { fakeDialect, hookOf, listenTo, toolEvent } from '../engine-rig.js';

const invocation: Invocation = {
  kind: 'command',
  command: { kind: 'shell', text: 'x' },
  cwd: '/',
  env: {},
  stdin: '',
  detachesOnAsyncLine: true,
};
const answer: Exit = { kind: 'answered', answer: {}, durationMs: 1 };

/** A run as an executor sees it. */
interface Held {
  readonly signal: AbortSignal;
  readonly onStart: () => void;
  readonly onDetach: ((detachment: Detachment) => void) | undefined;
  readonly settle: (exit: Exit) => void;
}

/** An executor that does what the test says. */
function holding() {
  const runs: Held[] = [];
  const executor: HookExecutor = {
    kind: 'command',
    run: (_invocation, _hook, _event, { signal, onStart, onDetach }) =>
      new Promise((settle) => runs.push({ signal, onStart, onDetach, settle })),
  };
  return { executor, runs };
}

describe('in time', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  function running(timeoutMs = 1000) {
    const { executor, runs } = holding();
    const [event, system] = [new AbortController(), new AbortController()];
    const onDetach = jest.fn();
    const options = { signal: event.signal, onStart: () => {} };
    const detaching = { signal: system.signal, onDetach };
    const exit = runDetachable(containExecutor(executor), invocation, hookOf('a', { timeoutMs }), toolEvent, options, detaching);
    const run = runs[0] as Held;
    run.onStart();
    return { ...run, exit, event, system, onDetach, detach: (detachment: Detachment = {}) => run.onDetach?.(detachment) };
  }
  const isWaiting = async (exit: Promise<Exit>) => (await Promise.race([exit, Promise.resolve('waiting')])) === 'waiting';

  test('once detached, a run ends with the system and no longer with its event', async () => {
    const { signal, exit, event, system, onDetach, detach } = running();
    detach();
    event.abort('Esc');
    expect([signal.aborted, onDetach.mock.calls]).toEqual([false, [[{}]]]);
    system.abort('disposed');
    expect([signal.aborted, signal.reason]).toEqual([true, 'disposed']);
    jest.advanceTimersByTime(50);
    expect(await exit).toMatchObject({ kind: 'cancelled' });
  });

  test('before that it ends with its event, which it hears from', async () => {
    const { signal, event, system } = running();
    system.abort();
    expect(signal.aborted).toBe(false);
    event.abort('Esc');
    expect(signal.reason).toBe('Esc');
  });

  test('its deadline stays, counted from its start', async () => {
    const { exit, detach } = running(1000);
    jest.advanceTimersByTime(900);
    detach();
    jest.advanceTimersByTime(100 + 49);
    expect(await isWaiting(exit)).toBe(true);
    jest.advanceTimersByTime(1);
    expect(await exit).toEqual({ kind: 'timed-out', durationMs: 1050 });
  });

  test('or is another one, counted from then on, which the exit tells', async () => {
    const { exit, detach } = running(1000);
    jest.advanceTimersByTime(900);
    detach({ timeoutMs: 5000 });
    jest.advanceTimersByTime(5049);
    expect(await isWaiting(exit)).toBe(true);
    jest.advanceTimersByTime(1);
    expect(await exit).toEqual({ kind: 'timed-out', timeoutMs: 5000, durationMs: 5950 });
  });

  test('a line that was read just past the deadline, because our own loop was blocked, still counts', async () => {
    const { exit, onDetach, detach } = running(1000);
    jest.advanceTimersByTime(1000);
    detach({ timeoutMs: 5000 });
    expect(onDetach).toHaveBeenCalledTimes(1);
    jest.advanceTimersByTime(4000);
    expect(await isWaiting(exit)).toBe(true);
  });

  test('nothing is detached twice, after its event was aborted, or after its end; and no timer stays', async () => {
    const twice = running();
    twice.detach();
    twice.detach({ timeoutMs: 5 });
    expect(twice.onDetach).toHaveBeenCalledTimes(1);
    twice.settle(answer);
    expect(await twice.exit).toBe(answer);

    const aborted = running();
    aborted.event.abort();
    aborted.detach();
    aborted.settle(answer);
    await aborted.exit;
    aborted.detach();
    expect(aborted.onDetach).not.toHaveBeenCalled();
    expect(jest.getTimerCount()).toBe(0);
  });

  test('a run that may not detach is given no way to', async () => {
    const { executor, runs } = holding();
    const { signal } = new AbortController();
    void containExecutor(executor).run(invocation, hookOf('a'), toolEvent, { signal, onStart: () => {} });
    expect(runs[0]?.onDetach).toBeUndefined();
    expect(runs[0]?.signal).toBe(signal);
    runs[0]?.settle(answer);
  });
});

describe('in a stage', () => {
  function surroundings(asked: Invocation = invocation) {
    const { executor, runs } = holding();
    const happened: string[] = [];
    const report = listenTo({
      started: ({ hook }) => happened.push(`started ${hook.id}`),
      finished: ({ hook, outcome: { status, warnings }, late }) =>
        happened.push(`finished ${hook.id} ${status}${late ? ' late' : ''} ${warnings.map(({ code }) => code)}`.trim()),
    });
    const [event, dispose] = [new AbortController(), new AbortController()];
    const context = {
      dialects: [fakeDialect({ invocation: () => asked })],
      executors: new Map([['command', executor]]),
      environment: () => ({}),
      signal: event.signal,
      disposeSignal: dispose.signal,
      report,
    };
    return { runs, happened, context, event, dispose };
  }
  const settled = () => new Promise(setImmediate);
  const mayDetach = true;

  test('the stage continues as soon as its hooks have answered or detached, and a later deny is reported as late', async () => {
    const { runs, happened, context } = surroundings();
    const outcomes = runStage({ hooks: [hookOf('a', { mayDetach }), hookOf('b', { mayDetach })] }, toolEvent, toolEvent, context);
    for (const run of runs) run.onStart();
    runs[0]?.onDetach?.({ warnings: [{ code: 'wrong_type', message: 'm' }] });
    runs[1]?.settle(answer);
    expect(await outcomes).toMatchObject([
      { hookId: 'a', status: 'detached', warnings: [{ code: 'wrong_type', message: 'm' }] },
      { hookId: 'b', status: 'succeeded' },
    ]);
    runs[0]?.settle({ kind: 'answered', answer: { decision: 'deny' }, durationMs: 1 });
    await settled();
    expect(happened).toEqual(['started a', 'started b', 'finished b succeeded', 'finished a blocked late late_answer']);
  });

  test('a detached hook outlives the cancelling of its event, and ends with the system', async () => {
    const { runs, happened, context, event, dispose } = surroundings();
    const outcomes = runStage({ hooks: [hookOf('a', { mayDetach })] }, toolEvent, toolEvent, context);
    const [run] = runs as [Held];
    run.onStart();
    run.onDetach?.({});
    await outcomes;
    event.abort();
    expect(run.signal.aborted).toBe(false);
    dispose.abort();
    expect(run.signal.aborted).toBe(true);
    run.settle({ kind: 'cancelled', durationMs: 1 });
    await settled();
    expect(happened).toEqual(['started a', 'finished a cancelled late cancelled']);
  });

  test('a time of its own is the one that its late end names', async () => {
    const { runs, context, happened } = surroundings();
    const messages: string[] = [];
    const report = (progress: Progress) => {
      if (progress.kind === 'finished') messages.push(progress.outcome.warnings[0]?.message ?? '');
      else context.report(progress);
    };
    const outcomes = runStage({ hooks: [hookOf('a', { name: 'lint', mayDetach })] }, toolEvent, toolEvent, { ...context, report });
    runs[0]?.onStart();
    runs[0]?.onDetach?.({ timeoutMs: 5000 });
    await outcomes;
    runs[0]?.settle({ kind: 'timed-out', durationMs: 5000, timeoutMs: 5000 });
    await settled();
    expect(messages).toEqual([expect.stringContaining('"lint" did not end within 5000 ms and was stopped.')]);
    expect(happened).toEqual(['started a']);
  });

  test('neither an async hook, nor one whose dialect or settings do not allow it, nor one that fails closed may detach', async () => {
    const { detachesOnAsyncLine: _, ...waitedFor } = invocation;
    for (const { runs, context, hook } of [
      { ...surroundings(), hook: hookOf('a', { async: true, mayDetach }) },
      { ...surroundings(waitedFor), hook: hookOf('a', { mayDetach }) },
      { ...surroundings(), hook: hookOf('a') },
      { ...surroundings(), hook: hookOf('a', { mayDetach, onError: 'block' }) },
    ]) {
      const outcomes = runStage({ hooks: [hook] }, toolEvent, toolEvent, context);
      expect(runs[0]?.onDetach).toBeUndefined();
      runs[0]?.settle(answer);
      await outcomes;
    }
  });
});
