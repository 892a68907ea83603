import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { performanceSections } from '../../bench/dist/peers/report/page-sections.js';
import { plotFiles } from '../../bench/dist/peers/report/plots.js';
import { withSections } from './sections.mjs';

const root = join(import.meta.dirname, '..', '..');
const page = 'docs/performance.md';

/** Returns the page and the plots of the last full run of `npm run bench:peers`, which is committed. */
export function performanceFiles() {
  const run = JSON.parse(readFileSync(join(root, 'bench/peers/results.json'), 'utf8'));
  return [{ file: page, text: withSections(page, readFileSync(join(root, page), 'utf8'), performanceSections(run)) }, ...plotFiles(run)];
}
