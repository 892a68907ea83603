import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { withProgramsFirst } from './test/support/search-path.js';

/**
 * Two tiers. The first is every `*.test.ts` but `*.slow.test.ts`, with at most 50 runs a property. TEST_TIER=all is both, with every run;
 * TEST_TIER=rest is what the first leaves out. A slow test that is named on the command line runs without a tier.
 */
const tier = process.env.TEST_TIER ?? (process.argv.some((argument) => argument.includes('.slow')) ? 'all' : 'first');
if (tier !== 'first') process.env.FC_RUNS ??= 'Infinity';
// Which hooks the user who runs the tests has trusted must not matter, and no test may decide for this user.
process.env.XDG_STATE_HOME = join(tmpdir(), `tenterhook-tests-${process.pid}`);
process.env.PATH = withProgramsFirst(process.env.PATH ?? '');
// Node reads these certificates at each start, which takes as long as the rest of the start. Tests connect only to their own servers.
delete process.env.NODE_EXTRA_CA_CERTS;
const tests = ['packages/*/test/**', 'test/**', 'examples/*/test/**'];
const slowTests = tests.map((folder) => `<rootDir>/${folder}/*.slow.test.ts`);

/**
 * A test imports packages by their names, as users do, and so gets what was built: one file a package loads five times as fast as its sources.
 * Tests of a package's inside import the files of its own `src`. Lines in stack traces are lines of the sources everywhere.
 */
export default {
  testMatch: tier === 'rest' ? [...slowTests, ...propertyTests()] : tests.map((folder) => `<rootDir>/${folder}/*.test.ts`),
  testPathIgnorePatterns: ['/node_modules/', ...(tier === 'first' ? ['\\.slow\\.test\\.ts$'] : [])],
  modulePathIgnorePatterns: ['<rootDir>/packages/[^/]+/dist/', '<rootDir>/\\.turbo/'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '/packages/[^/]+/dist/.+\\.c?js$': '<rootDir>/test/support/built-file.js',
    '^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'es6' } }],
  },
  moduleNameMapper: {
    // The tests switch the log on through the library that it uses, which is bundled in what is built.
    '^@tenterhook/runtime/log$': '<rootDir>/packages/runtime/src/log/index.ts',
    '^fast-check$': '<rootDir>/test/support/fast-check.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  testEnvironment: 'node',
  // Many tests wait for processes, so there are more workers than processors. The tests of deadlines must pass on a busy machine, too.
  maxWorkers: 2 * availableParallelism() + 1,
  // Modules of ended test files stay in memory. A worker is replaced before it is so large that each start of a process takes long.
  workerIdleMemoryLimit: '400MB',
  testSequencer: '<rootDir>/test/support/longest-first.js',
  testTimeout: 60_000,
};

/** The first tier cuts the runs of properties, so the rest runs the files with properties once more, also those that get them from a helper. */
function propertyTests() {
  const files = ['packages', 'test', 'examples']
    .flatMap((folder) => readdirSync(folder, { recursive: true }).map((file) => join(folder, file)))
    .filter((file) => /(?:^|\/)test\/.*\.ts$/.test(file) && !file.includes('node_modules') && !file.endsWith('.slow.test.ts'))
    .map((file) => ({ file, text: readFileSync(file, 'utf8') }));
  const helpers = files.filter(({ file, text }) => !file.endsWith('.test.ts') && text.includes("from 'fast-check'"));
  const sources = ["from 'fast-check'", ...helpers.map(({ file }) => `/${basename(file, '.ts')}.js'`)];
  const tests = files.filter(({ file, text }) => file.endsWith('.test.ts') && sources.some((source) => text.includes(source)));
  return tests.map(({ file }) => `<rootDir>/${file}`);
}
