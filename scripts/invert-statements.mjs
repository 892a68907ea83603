/**
 * Shows that the tests which cite a statement fail when the sources do the opposite of it: statements are drawn by a seed, the change
 * that inverts each is applied to a copy of this repository, and the citing tests have to fail there. Slow, and no part of `npm test`.
 *
 * `node scripts/invert-statements.mjs [--seed 2026] [--count 20] [--all] [--id <id>]… [--why]`. `--why` prints what the
 * first failing test said, to see that it failed for the behaviour and not because a test could not be set up.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import { citedIds } from './seed-statements/citations.mjs';
import { draw } from './seed-statements/draw.mjs';
import { inversions, inverted } from './seed-statements/inversions/index.mjs';

const root = join(import.meta.dirname, '..');
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '2026' },
    count: { type: 'string', default: '20' },
    all: { type: 'boolean', default: false },
    id: { type: 'string', multiple: true },
    why: { type: 'boolean', default: false },
  },
});
const covered = [...new Set(inversions.flatMap(({ ids }) => ids))].sort();
const drawn = values.id ?? (values.all ? covered : draw(covered, Number(values.count), Number(values.seed)));
const unknown = drawn.filter((id) => !covered.includes(id));
if (unknown.length > 0) throw new Error(`no change inverts ${unknown.join(', ')}`);

const cited = citedIds(root);
const copy = copyOfRepository();
let failures = 0;
try {
  const intact = run(drawn);
  report('the sources as they are', drawn, (id) =>
    intact.failed.has(id) ? 'FAILS WITHOUT A CHANGE' : intact.passed.has(id) ? undefined : 'NO TEST RAN',
  );
  for (const inversion of inversions) {
    const ids = inversion.ids.filter((id) => drawn.includes(id));
    if (ids.length === 0) continue;
    const path = join(copy, inversion.file);
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, inverted(text, inversion));
    const { failed, broken } = run(ids);
    writeFileSync(path, text);
    report(inversion.file, ids, (id) => (broken ? `BROKEN: ${broken}` : failed.has(id) ? 'failed, as it should' : 'STILL PASSES'));
    if (values.why) for (const id of ids) process.stdout.write(`    ${id}: ${failed.get(id) ?? 'no failure'}\n`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
process.stdout.write(
  failures === 0
    ? `${drawn.length} of the ${covered.length} statements that can be inverted: every inversion made the citing tests fail.\n`
    : `${failures} problems.\n`,
);
process.exitCode = failures === 0 ? 0 : 1;

function report(file, ids, verdictOf) {
  for (const id of ids) {
    const verdict = verdictOf(id);
    if (verdict === undefined) continue;
    if (verdict !== 'failed, as it should') failures += 1;
    process.stdout.write(`${id.padEnd(62)} ${verdict.padEnd(22)} ${file}\n`);
  }
}

/** The tests that cite the ids, in the copy: of which ids one failed, of which all passed, and what kept a test file from running at all. */
function run(ids) {
  const pattern = ids.map((id) => `\\[${id.replaceAll(/[.$]/g, '\\$&')}\\]`).join('|');
  const results = join(copy, 'results.json');
  const jest = [join(root, 'node_modules/jest/bin/jest.js'), '--rootDir', copy, '--json', '--outputFile', results, '--silent'];
  const files = new Set(ids.flatMap((id) => [...(cited.get(id) ?? [])]));
  const node = ['--experimental-vm-modules', '--no-warnings', ...jest, '-t', pattern, '--runTestsByPath', ...files];
  rmSync(results, { force: true });
  spawnSync(process.execPath, node, { cwd: copy, encoding: 'utf8' });
  const { testResults } = JSON.parse(readFileSync(results, 'utf8'));
  const tests = testResults.flatMap((file) => file.assertionResults);
  const first = (id, status) => tests.find((test) => test.status === status && test.fullName.includes(`[${id}]`));
  const failed = new Map(ids.flatMap((id) => (first(id, 'failed') ? [[id, messageOf(first(id, 'failed'))]] : [])));
  const passed = new Set(ids.filter((id) => !failed.has(id) && first(id, 'passed')));
  const unloaded = testResults.find((file) => file.status === 'failed' && file.assertionResults.length === 0);
  return { failed, passed, broken: unloaded && `${basename(unloaded.name)} could not be loaded` };
}

/** What was expected and what was found, on one line. */
function messageOf({ failureMessages: [message = ''] }) {
  const said = stripVTControlCharacters(message).split(/\n\s+at /)[0];
  return said.replace(/\s+/g, ' ').slice(0, 200);
}

/** The working tree without what is built or installed; packages are found through `moduleNameMapper`, so the copy runs its own sources. */
function copyOfRepository() {
  const target = mkdtempSync(join(tmpdir(), 'tenterhook-inverted-'));
  const left = /(^|\/)(node_modules|dist|\.git|\.turbo)(\/|$)/;
  cpSync(root, target, { recursive: true, filter: (source) => !left.test(relative(root, source)) });
  // What npm could not put at the top, where another version stands, lies with the package that asked for it.
  for (const folder of ['.', ...readdirSync(join(root, 'packages')).map((name) => join('packages', name))]) {
    const installed = join(root, folder, 'node_modules');
    if (existsSync(installed)) symlinkSync(installed, join(target, folder, 'node_modules'), 'dir');
  }
  return target;
}
