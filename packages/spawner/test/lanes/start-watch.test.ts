import { jest } from '@jest/globals';
import type { StopSignal } from '../../src/job.js';
import type { SetupFile } from '../../src/lanes/setup-file.js';
import { StartWatch } from '../../src/lanes/start-watch.js';

/** Time is false here: a test must see what happens between the end of a command and the report of its lane. */
beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** Watches a lane without children. `hasBegun`: whether the command of its job has begun. */
function watch(hasBegun: boolean) {
  const kill = jest.fn();
  // No process has this number, so the lane has no children.
  const lane = { pid: 2 ** 30, kill };
  const setup = { hasBegun, lock: jest.fn() } as unknown as SetupFile;
  const started = new StartWatch(lane, { setup, longestMs: 100, signal: new AbortController().signal as StopSignal });
  return { kill, started };
}

test('a command that has begun and has no process has ended: its lane may still report that', () => {
  const { kill, started } = watch(true);
  jest.advanceTimersByTime(1500);
  expect(kill).not.toHaveBeenCalled();
  jest.advanceTimersByTime(1500);
  expect(kill).toHaveBeenCalled();
  started.stop();
});

test('a lane whose command does not begin in time is killed', () => {
  const { kill, started } = watch(false);
  jest.advanceTimersByTime(50);
  expect(kill).not.toHaveBeenCalled();
  jest.advanceTimersByTime(250);
  expect(kill).toHaveBeenCalledTimes(1);
  started.stop();
});
