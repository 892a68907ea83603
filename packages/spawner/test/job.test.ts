import { createSpawner, defaultLimits, type SpawnerLimits } from '../src/index.js';
import { onStop, type StopReason, type StopSignal } from '../src/job.js';

test('the defaults', () => {
  expect(defaultLimits).toMatchObject({ queued: 1024, killGraceMs: 5000, stdoutBytes: 16_777_216, stderrBytes: 1_048_576 });
  expect(defaultLimits.concurrency).toBeGreaterThanOrEqual(8);
  expect(defaultLimits.concurrency).toBeLessThanOrEqual(32);
});

test.each([
  [{ concurrency: 0 }, '"limits.concurrency" must be an integer from 1'],
  [{ concurrency: 1.5 }, 'is 1.5'],
  [{ concurency: 1 }, '"limits" has no option "concurency". Did you mean "concurrency"?'],
  [{ queued: -1 }, '"limits.queued" must be an integer from 0'],
  [{ killGraceMs: Number.NaN }, '"limits.killGraceMs" must be a number from 0 to 2147483647, and is NaN'],
  [{ killGraceMs: '5000' as unknown as number }, 'is "5000"'],
  [{ stdoutBytes: 268_435_457 }, '"limits.stdoutBytes" must be an integer from 0 to 268435456'],
  [{ stderrBytes: Number.POSITIVE_INFINITY }, 'stderrBytes'],
])('%p is wrong use', (limits, message) => {
  expect(() => createSpawner(limits as Partial<SpawnerLimits>)).toThrow(TypeError);
  expect(() => createSpawner(limits as Partial<SpawnerLimits>)).toThrow(message);
});

test('a stop is reported once, with its first reason, to those who asked before and after it', () => {
  const control = new AbortController();
  const signal: StopSignal = control.signal;
  const called: [string, StopReason][] = [];
  onStop(signal, (reason) => called.push(['before', reason]));
  onStop(signal, (reason) => called.push(['taken back', reason]))();
  control.abort('cancelled');
  control.abort('disposed');
  onStop(signal, (reason) => called.push(['after', reason]))();
  expect(called).toEqual([
    ['before', 'cancelled'],
    ['after', 'cancelled'],
  ]);
});
