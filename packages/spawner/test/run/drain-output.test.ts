import { jest } from '@jest/globals';
import { BoundedOutput } from '../../src/io/bounded-output.js';
import { drainOutput } from '../../src/run/drain-output.js';

const never = new AbortController().signal;

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
});
afterEach(() => {
  jest.useRealTimers();
});

/** Begins to wait for the output of an ended process that other processes still hold. */
function drain(text: string) {
  const stdout = new BoundedOutput(1000);
  const write = (more: string) => stdout.add(Buffer.from(more), Buffer.byteLength(more));
  write(text);
  let hasEnded = false;
  const output = {
    changedAt: performance.now(),
    ended: new Promise(() => {}),
    get isUnfinished() {
      return stdout.isUnfinishedObject;
    },
  };
  void drainOutput(output, performance.now() + 60_000, never).then(() => {
    hasEnded = true;
  });
  const endsAfter = async (ms: number) => {
    await jest.advanceTimersByTimeAsync(ms);
    await new Promise((resolve) => setImmediate(resolve));
    return hasEnded;
  };
  return { write, endsAfter };
}

test('a text is read until nothing was written for 50 ms', async () => {
  const { endsAfter } = drain('done');
  expect(await endsAfter(40)).toBe(false);
  expect(await endsAfter(20)).toBe(true);
});

test('the beginning of an object is read until the object has its end, because it may be a deny', async () => {
  const { write, endsAfter } = drain('\n {"decision":"deny"');
  expect(await endsAfter(200)).toBe(false);
  write(',"reason":"no"} \n');
  expect(await endsAfter(20)).toBe(true);
});

test('the beginning of an object is not read for more than 250 ms', async () => {
  const { endsAfter } = drain('{"decision":');
  expect(await endsAfter(240)).toBe(false);
  expect(await endsAfter(20)).toBe(true);
});

test.each(['', ' ', '{}', '{"a":{}}\n', 'text {', '[{'])('the output %j is not the beginning of an object', async (text) => {
  const { endsAfter } = drain(text);
  expect(await endsAfter(60)).toBe(true);
});
