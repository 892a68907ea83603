/**
 * Runs the test files that failed once more, one after another, and names those that pass now. Their tests depend on the load of the machine.
 *
 *   node scripts/test-again.mjs <results.json of jest> <report>
 *
 * The report gets the tests that failed and what came of the second run. It is short, so that it can be printed after everything else, where
 * a reader of a long log looks first.
 *
 * Exit code 0 if all of them pass. Files that guard what a user relies on get no second run: a deny that is lost once in a hundred runs is lost.
 */
import { spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const root = join(import.meta.dirname, '..');
/** More failures than this have one cause, which is not the load. */
const most = 5;
/** Of a failure, the report has this many lines. */
const failureLines = 12;
const noSecondRun = [
  'packages/engine/',
  'packages/spawner/',
  'packages/trust/',
  'test/attacks/',
  'test/faults/',
  'test/properties/',
  'test/trust/',
];

const [, , resultsFile, reportFile] = process.argv;
const failed = readFailed(resultsFile);
for (const { name, failures } of failed) for (const failure of failures) report(`${name}: ${failure}`);
process.exitCode = runAgain(failed.map(({ name }) => name));

function runAgain(files) {
  if (files.length === 0) return fail('No test file failed, so the install, the build or jest itself failed. Its message is above.');
  if (files.length > most) return fail(`${files.length} test files failed. At most ${most} are run once more.`);
  const guards = files.filter((file) => noSecondRun.some((folder) => file.startsWith(folder)));
  if (guards.length > 0) return fail(`These test files must pass at the first run: ${guards.join(', ')}.`);
  say(`Running once more, because the machine may have been busy: ${files.join(', ')}`);
  const jest = ['--experimental-vm-modules', '--no-warnings=ExperimentalWarning', join(root, 'node_modules/jest/bin/jest.js')];
  const { status } = spawnSync(process.execPath, [...jest, '--runInBand', '--runTestsByPath', ...files], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, TEST_TIER: 'all' },
  });
  if (status !== 0) return fail('The second run failed, too.');
  say(`UNSTABLE: passed only at the second run: ${files.join(', ')}. Find out what these tests wait for.`);
  return 0;
}

function readFailed(file) {
  const text = readFileSync(file, 'utf8');
  // An install or a build that failed runs no test.
  if (text === '') return [];
  const { testResults } = JSON.parse(text);
  return testResults
    .filter(({ status }) => status === 'failed')
    .map(({ name, message, assertionResults }) => {
      const tests = assertionResults.filter(({ status }) => status === 'failed');
      // A file that cannot be loaded has no tests, only a message.
      const failures = tests.length === 0 ? [message] : tests.map((test) => `${test.fullName}\n${test.failureMessages.join('\n')}`);
      return { name: relative(root, name).replaceAll('\\', '/'), failures: failures.map(shorten) };
    });
}

function shorten(failure) {
  const lines = stripVTControlCharacters(failure)
    .split('\n')
    .filter((line) => line.trim() !== '' && !/node_modules|node:internal/u.test(line));
  return lines
    .slice(0, failureLines)
    .map((line) => line.slice(0, 200))
    .join('\n    ');
}

function say(text) {
  process.stderr.write(`\n${text}\n`);
  report(text);
}

function report(text) {
  if (reportFile !== undefined) appendFileSync(reportFile, `${text}\n`);
}

function fail(text) {
  say(text);
  return 1;
}
