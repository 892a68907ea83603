import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Figures } from '../../soak/src/report/figures.js';
import { root } from '../support/sources.js';

test('a short run ends clean, and tells what it did', () => {
  const { status, stdout } = spawnSync(
    process.execPath,
    ['--expose-gc', join(root, 'soak/dist/run.js'), '--seconds', '3', '--seed', '7', '--json'],
    {
      encoding: 'utf8',
    },
  );
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
  expect(figures.maxRssBytes).toBeGreaterThan(0);
}, 120_000);
