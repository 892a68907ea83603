import { existsSync } from 'node:fs';
import { join } from 'node:path';
import TestSequencer from '@jest/test-sequencer';

/**
 * The files that take longest, the longest first. A long file that starts last keeps one worker busy while the others wait. Without its
 * cache jest starts the largest files first. With the cache of the first tier it starts the properties of the second tier last.
 */
const longest = [
  'test/properties/trust.test.ts',
  'test/formats/conformance.slow.test.ts',
  'test/docs/commands.slow.test.ts',
  'packages/testing/test/dialects/broken-running.slow.test.ts',
  'test/properties/rechecked-input.test.ts',
  'test/docs/writing.test.ts',
  'test/trust/large.test.ts',
];
/** A file outside of the list that takes longer is reported after the run. */
const reportedMs = 60_000;

class LongestFirst extends TestSequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((one, other) => positionOf(one) - positionOf(other));
  }

  cacheResults(tests, results) {
    super.cacheResults(tests, results);
    const listed = new Set(tests.filter((test) => positionOf(test) < longest.length).map(({ path }) => path));
    for (const { testFilePath: file, perfStats } of results.testResults) {
      if (perfStats.runtime <= reportedMs || listed.has(file)) continue;
      process.stderr.write(`${file} took ${perfStats.runtime} ms. Add it to "longest" in ${import.meta.filename}.\n`);
    }
  }
}

function positionOf({ path, context }) {
  const { rootDir } = context.config;
  const position = longest.findIndex((file) => path === join(rootDir, file));
  return position === -1 ? longest.length : position;
}

const missing = longest.filter((file) => !existsSync(join(import.meta.dirname, '../..', file)));
if (missing.length > 0) throw new Error(`${missing.join(', ')} in "longest" of ${import.meta.filename} does not exist. Correct the path.`);

export { LongestFirst as default };
