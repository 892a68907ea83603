import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Load, leastWorkers, meanServiceMs, simulate } from '../../bench/src/sizing/simulate.js';
import { root } from '../support/sources.js';

const load: Load = { agents: 100, eventsPerSecond: 1, slots: 1, serviceMs: 8, seconds: 1000, seed: 7 };

test('equal seeds give equal numbers, and other seeds others', () => {
  const short: Load = { ...load, seconds: 20 };
  expect(simulate(short, 2)).toEqual(simulate(short, 2));
  expect(simulate({ ...short, seed: 8 }, 2)).not.toEqual(simulate(short, 2));
});

test('one worker with equal service times waits as long as queueing theory says', () => {
  // The mean time in the queue of M/D/1 is utilisation * service / (2 * (1 - utilisation)).
  const { utilisation, meanWaitMs } = simulate(load, 1);
  expect(utilisation).toBeCloseTo(0.8);
  expect(meanWaitMs / ((0.8 * 8) / (2 * 0.2))).toBeCloseTo(1, 1);
});

test('workers that are chosen at random are queues of their own', () => {
  const one = simulate(load, 1);
  const ten = simulate({ ...load, agents: 400, seconds: 500 }, 4);
  expect(ten.utilisation).toBeCloseTo(one.utilisation);
  expect(ten.meanWaitMs / one.meanWaitMs).toBeCloseTo(1, 1);
});

test('the service times have the given median and 95th percentile', () => {
  const idle: Load = { ...load, agents: 10, serviceMs: 20, serviceP95Ms: 60, slots: 8 };
  const { p50Ms, p95Ms, meanWaitMs } = simulate(idle, 10);
  expect(meanWaitMs).toBeCloseTo(0);
  expect(p50Ms / 20).toBeCloseTo(1, 1);
  expect(p95Ms / 60).toBeCloseTo(1, 1);
  expect(meanServiceMs(idle)).toBeGreaterThan(20);
});

test('the calculated number of workers has the utilisation that was asked for, and more workers answer faster', () => {
  const many: Load = { agents: 10_000, eventsPerSecond: 1, slots: 8, serviceMs: 20, serviceP95Ms: 60, seconds: 5, seed: 1 };
  const [few, half] = [0.9, 0.5].map((target) => simulate(many, leastWorkers(many, target)));
  expect(few?.utilisation).toBeLessThanOrEqual(0.9);
  expect(half?.utilisation).toBeLessThanOrEqual(0.5);
  expect(half?.p99Ms).toBeLessThan(few?.p99Ms as number);
});

const sizing = (args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'bench/dist/sizing/run.js'), ...args], { encoding: 'utf8' });
  return { status, stdout, stderr };
};

test('the command prints the table of the page', () => {
  const page = readFileSync(join(root, 'docs/distributed.md'), 'utf8');
  const [, args = '', shown] = /^npm run bench:sizing -- (.*)\n```\n\n```text\n([^`]*)```$/m.exec(page) ?? [];
  expect(sizing(args.split(' '))).toEqual({ status: 0, stdout: shown, stderr: '' });
});

test.each([
  ['--slots', '0'],
  ['--agents', 'many'],
  ['--workers', '5'],
])('%s %s is refused', (...args) => {
  const { status, stderr } = sizing(args);
  expect(status).not.toBe(0);
  expect(stderr).toContain(args[0]);
});
