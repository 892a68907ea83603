import { jest } from '@jest/globals';
import type { Exit, HookExecutor, Invocation } from '@tenterhook/protocol';
import { containExecutor, disposeInTime } from '../../src/runner/contain-executor.js';
import { hookOf, toolEvent } from '../engine-rig.js';

const invocation: Invocation = { kind: 'call', handlerId: 'a', argument: {} };
const answer: Exit = { kind: 'answered', answer: {}, durationMs: 1 };

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

function running(run: (start: () => void, signal: AbortSignal) => Promise<Exit>, timeoutMs = 1000) {
  const control = new AbortController();
  const executor: HookExecutor = { kind: 'call', run: (_invocation, _hook, _event, { onStart, signal }) => run(onStart, signal) };
  const started = jest.fn();
  const options = { signal: control.signal, onStart: started };
  const exit = containExecutor(executor).run(invocation, hookOf('a', { timeoutMs }), toolEvent, options);
  return { control, exit, started };
}
const never = () => new Promise<Exit>(() => {});

test('an executor that settles by itself is left alone, and no timer stays', async () => {
  const { exit, started } = running(async (start) => {
    start();
    return answer;
  });
  expect(await exit).toBe(answer);
  expect(started).toHaveBeenCalledTimes(1);
  expect(jest.getTimerCount()).toBe(0);
});

test('one that overlooks its signal is given up 50 ms after the abort', async () => {
  const { control, exit } = running((start) => {
    start();
    return never();
  });
  control.abort();
  jest.advanceTimersByTime(49);
  const early = await Promise.race([exit, Promise.resolve('still waiting')]);
  jest.advanceTimersByTime(1);
  expect([early, (await exit).kind]).toEqual(['still waiting', 'cancelled']);
});

test('one that had not started when the event was cancelled had no turn', async () => {
  const { control, exit } = running(never);
  control.abort();
  jest.advanceTimersByTime(50);
  expect(await exit).toMatchObject({ kind: 'not-started', durationMs: 0 });
});

test('one that ignores the deadline of its hook is abandoned after it', async () => {
  const { exit } = running((start) => {
    start();
    return never();
  }, 300);
  jest.advanceTimersByTime(300);
  jest.advanceTimersByTime(50);
  expect((await exit).kind).toBe('timed-out');
});

test('when our own loop was blocked past the deadline, an answer that is there still counts', async () => {
  let settle: (exit: Exit) => void = () => {};
  const { exit } = running((start) => {
    start();
    return new Promise((resolve) => {
      settle = resolve;
    });
  }, 300);
  // Both are overdue when the loop goes on; the news of the answer comes between them.
  jest.advanceTimersByTime(300);
  settle(answer);
  expect(await exit).toBe(answer);
});

test('an error that an executor throws, at once or later, is reported', async () => {
  const { exit } = running(() => {
    throw new Error('oops');
  });
  await expect(exit).rejects.toThrow('oops');
  await expect(running(() => Promise.reject(new Error('late'))).exit).rejects.toThrow('late');
});

test('one that starts after it was abandoned has no effect: no start is reported, and no timer stays', async () => {
  let begin = () => {};
  const { control, exit, started } = running((start) => {
    begin = start;
    return never();
  });
  control.abort();
  jest.advanceTimersByTime(50);
  await exit;
  begin();
  expect(started).not.toHaveBeenCalled();
  expect(jest.getTimerCount()).toBe(0);
});

test('only the first start counts: a second one neither moves the deadline nor is reported', async () => {
  let begin = () => {};
  const { exit, started } = running((start) => {
    begin = start;
    start();
    start();
    return never();
  }, 300);
  jest.advanceTimersByTime(299);
  begin();
  jest.advanceTimersByTime(1);
  begin();
  jest.advanceTimersByTime(50);
  expect((await exit).kind).toBe('timed-out');
  begin();
  expect(started).toHaveBeenCalledTimes(1);
  expect(jest.getTimerCount()).toBe(0);
});

test('a start after the answer begins nothing', async () => {
  let begin = () => {};
  const { exit, started } = running(async (start) => {
    begin = start;
    return answer;
  });
  await exit;
  begin();
  expect(started).not.toHaveBeenCalled();
  expect(jest.getTimerCount()).toBe(0);
});

test('one that never begins had no turn, unless hooks wait in it for their turn', async () => {
  const { exit } = running(never, 300);
  jest.advanceTimersByTime(350);
  expect(await exit).toEqual({ kind: 'not-started', message: 'its executor did not start it within 300 ms.', durationMs: 0 });

  const { signal } = new AbortController();
  const queueing: HookExecutor = { kind: 'call', queues: true, run: never };
  const waiting = containExecutor(queueing).run(invocation, hookOf('a', { timeoutMs: 300 }), toolEvent, { signal, onStart: () => {} });
  expect(jest.getTimerCount()).toBe(0);
  expect(await Promise.race([waiting, Promise.resolve('still waiting')])).toBe('still waiting');
});

test('one that begins late has all of its time from then on', async () => {
  let begin = () => {};
  const { exit } = running((start) => {
    begin = start;
    return never();
  }, 300);
  jest.advanceTimersByTime(299);
  begin();
  jest.advanceTimersByTime(349);
  expect(await Promise.race([exit, Promise.resolve('still waiting')])).toBe('still waiting');
  jest.advanceTimersByTime(1);
  expect(await exit).toMatchObject({ kind: 'timed-out' });
});

test('one that rejects because it was aborted was cancelled', async () => {
  const { control, exit } = running((start, signal) => {
    start();
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
  });
  control.abort();
  expect(await exit).toMatchObject({ kind: 'cancelled' });
});

test('one that starts after the abort is abandoned anyway', async () => {
  let begin = () => {};
  const { control, exit } = running((start) => {
    begin = start;
    return never();
  });
  control.abort();
  begin();
  jest.advanceTimersByTime(50);
  expect(await exit).toMatchObject({ kind: 'cancelled' });
});

test('a run that is several calls is given up behind the longest that they may take together, and not behind one of them', async () => {
  const executor: HookExecutor = {
    kind: 'call',
    run: (_invocation, _hook, _event, { onStart }) => {
      onStart();
      return never();
    },
  };
  const hook = hookOf('a', { timeoutMs: 300, longestMs: 1000 });
  const { signal } = new AbortController();
  const exit = containExecutor(executor).run(invocation, hook, toolEvent, { signal, onStart: () => {} });
  jest.advanceTimersByTime(999);
  const early = await Promise.race([exit, Promise.resolve('still waiting')]);
  jest.advanceTimersByTime(51);
  expect([early, (await exit).kind]).toEqual(['still waiting', 'timed-out']);
});

test('a contained executor is the same for one executor, and its own contained form', () => {
  const executor: HookExecutor = { kind: 'call', run: never };
  const contained = containExecutor(executor);
  expect(containExecutor(executor)).toBe(contained);
  expect(containExecutor(contained)).toBe(contained);
  expect(contained.kind).toBe('call');
});

describe('disposal', () => {
  const executorWith = (dispose?: () => Promise<void>): HookExecutor => ({
    kind: 'call',
    run: () => new Promise(() => {}),
    ...(dispose === undefined ? {} : { dispose }),
  });

  test('an executor that ends is waited for, and no timer stays', async () => {
    await disposeInTime(executorWith(async () => {}));
    await disposeInTime(executorWith());
    expect(jest.getTimerCount()).toBe(0);
  });

  test('one that never ends is left behind after ten seconds', async () => {
    const disposed = disposeInTime(executorWith(() => new Promise(() => {})));
    jest.advanceTimersByTime(9999);
    expect(await Promise.race([disposed, Promise.resolve('still waiting')])).toBe('still waiting');
    jest.advanceTimersByTime(1);
    await disposed;
  });

  test('one that fails does not keep others from ending', async () => {
    await disposeInTime(executorWith(() => Promise.reject(new Error('of the test'))));
    await disposeInTime(
      executorWith(() => {
        throw new Error('of the test');
      }),
    );
  });
});

test('an executor of a host may change the environment that it receives, and the next run does not see it', async () => {
  const seen: unknown[] = [];
  const executor: HookExecutor = {
    kind: 'command',
    run: async (given) => {
      if (given.kind !== 'command') throw new Error('not a command');
      seen.push({ ...given.env });
      Object.assign(given.env, { SECRET: '1' });
      return answer;
    },
  };
  const command: Invocation = {
    kind: 'command',
    command: { kind: 'shell', text: 'true' },
    cwd: '/',
    env: Object.freeze({ A: '1' }),
    stdin: '{}',
  };
  const options = { signal: new AbortController().signal, onStart: () => {} };
  for (let run = 0; run < 2; run += 1) expect(await containExecutor(executor).run(command, hookOf('a'), toolEvent, options)).toBe(answer);
  expect(seen).toEqual([{ A: '1' }, { A: '1' }]);
});
