/** The sizes of packages, and the budgets that they must not exceed: see size-budgets.json. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const file = join(import.meta.dirname, 'size-budgets.json');
/** A budget is this much above what was measured when it was written. */
const room = 1.15;

/** What each number of a budget is, in kB (1000 bytes). */
export const sizeMeanings = {
  packed: 'the tarball',
  unpacked: 'the files in it',
  import: 'the JavaScript that is read when the package is imported, dependencies included',
};

/** Returns every size of a package that is above its budget, each as a sentence with the way to raise it. */
export function sizeProblems(name, sizes) {
  const budgets = readBudgets();
  const budget = budgets[name] ?? budgets['*'];
  return Object.entries(sizeMeanings).flatMap(([kind, meaning]) => {
    if (sizes[kind] <= budget[kind]) return [];
    return [
      `"${kind}", ${meaning}, is ${sizes[kind]} kB. The budget is ${budget[kind]} kB. ` +
        'Look for what has been added: npm pack --dry-run lists the files. ' +
        'If the package needs it, run "npm run check:packages -- --write-budgets", and give the reason in the commit.',
    ];
  });
}

/** Writes budgets for these packages, a little above their sizes. Packages without an entry have the budget "*". */
export function writeBudgets(sizesOf) {
  const { '*': standard } = readBudgets();
  const rows = [...sizesOf]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, sizes]) => [name, Object.fromEntries(Object.keys(sizeMeanings).map((kind) => [kind, budgetFor(sizes[kind])]))]);
  const lines = [['*', standard], ...rows].map(([name, budget]) => `  ${JSON.stringify(name)}: ${format(budget)}`);
  writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`);
}

/**
 * Measures what is read when a package is imported: the sizes of the files that V8 reports. A bundler's result was rejected, because it
 * contains what a program loads later or never. Peer dependencies are left out: they belong to the program. Rejects if the import fails.
 *
 * @param project the folder in which the packages are installed
 */
export async function importSize(project, name) {
  const coverage = mkdtempSync(join(project, 'coverage-'));
  const program = entriesOf(project, name).map((entry) => `await import(${JSON.stringify(entry)});`);
  try {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program.join(' ')], {
      cwd: project,
      env: { ...process.env, NODE_V8_COVERAGE: coverage },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ended = new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
    const [reported, status] = await Promise.all([text(child.stderr), ended]);
    if (status !== 0) throw new Error(`the import failed with ${status}: ${reported}`);
    const reports = readdirSync(coverage).map((report) => JSON.parse(readFileSync(join(coverage, report), 'utf8')));
    const urls = new Set(reports.flatMap(({ result }) => result.map(({ url }) => url)));
    const own = dependenciesOf(project, name);
    const files = [...urls].filter((url) => url.startsWith('file:')).map((url) => fileURLToPath(url));
    return toKb(files.filter((loaded) => own.has(packageOf(loaded))).reduce((sum, loaded) => sum + statSync(loaded).size, 0));
  } finally {
    rmSync(coverage, { recursive: true, force: true });
  }
}

export function toKb(bytes) {
  return Math.ceil(bytes / 100) / 10;
}

/** What a program imports: the main entry, or every entry of a package that has none. */
function entriesOf(project, name) {
  const { exports } = JSON.parse(readFileSync(join(project, 'node_modules', name, 'package.json'), 'utf8'));
  if (exports['.'] !== undefined) return [name];
  return Object.entries(exports).flatMap(([entry, { types }]) => (types === undefined ? [] : [`${name}${entry.slice(1)}`]));
}

/** The package itself and what it depends on, directly or not. */
function dependenciesOf(project, name, found = new Set(), above = project) {
  if (found.has(name)) return found;
  found.add(name);
  // npm puts a second version of a package below the one that needs it.
  const folder = [above, project].map((one) => join(one, 'node_modules', name)).find((one) => existsSync(join(one, 'package.json')));
  if (folder === undefined) return found;
  const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  for (const dependency of Object.keys(dependencies)) dependenciesOf(project, dependency, found, folder);
  return found;
}

/** The name of the package that contains a file. */
function packageOf(loaded) {
  const parts = loaded.split(`node_modules${sep}`).at(-1).split(sep);
  return parts.slice(0, parts[0].startsWith('@') ? 2 : 1).join('/');
}

function readBudgets() {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** In steps of 5 kB, so that a small change of a package does not change its budget. */
function budgetFor(size) {
  return Math.max(5, Math.ceil((size * room) / 5) * 5);
}

function format(budget) {
  return `{ ${Object.entries(budget)
    .map(([kind, size]) => `${JSON.stringify(kind)}: ${size}`)
    .join(', ')} }`;
}
