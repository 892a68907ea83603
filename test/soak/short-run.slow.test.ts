import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Figures } from '../../soak/src/report/figures.js';
import { root } from '../support/sources.js';

function runSoak(...args: string[]) {
  return spawnSync(process.execPath, ['--expose-gc', join(root, 'soak/dist/run.js'), ...args], { encoding: 'utf8' });
}

test('a short run ends clean, and tells what it did', () => {
  const { status, stdout } = runSoak('--seconds', '3', '--seed', '7', '--json');
  const figures = JSON.parse(stdout) as Figures;
  expect(figures.violations).toEqual([]);
  expect(status).toBe(0);
  expect(figures).toMatchObject({ seed: 7, isInterrupted: false, violationCount: 0, processes: { before: 0, after: 0 } });
  expect(figures.requests).toBeGreaterThan(0);
  expect(figures.responses).toBe(figures.requests);
  expect(Object.values(figures.ends).reduce((sum, count) => sum + count, 0)).toBe(figures.responses);
  expect(figures.descriptors.after).toBeLessThanOrEqual(figures.descriptors.before);
  expect(figures.heapBytes.after).toBeLessThan(figures.heapBytes.before + figures.heapBytes.tolerance);
  expect(figures.faults).toBeGreaterThan(0);
  expect(figures.subscribers.received).toBeGreaterThan(figures.subscribers.loops);
  expect(figures.subscribers.dropped).toBeGreaterThan(0);
  expect(figures.maxRssBytes).toBeGreaterThan(0);
}, 120_000);

test.each([
  [['--minutes', 'x'], '--minutes must be a number from 0.01 to 1440, and is "x".'],
  [['--seed', '-1'], "'--seed'"],
  [['--load', '0'], '--load must be a number from 1 to 256, and is "0".'],
  [['--minutes', '1', '--seconds', '1'], '--minutes and --seconds'],
  [['--for-ever'], "'--for-ever'"],
])('wrong usage %j is exit code 64 and says what is wrong', (args, message) => {
  const { status, stdout, stderr } = runSoak(...args);
  expect({ status, stdout }).toEqual({ status: 64, stdout: '' });
  expect(stderr).toContain(message);
});
