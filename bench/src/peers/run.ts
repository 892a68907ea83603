import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { roundsOf, runBenches, say } from '../run-benches.js';
import { allCases } from './cases/all-cases.js';
import { installPeers, peerVersions } from './install.js';

const usage = `npm run bench:peers -- [--only <text>] [--rounds <n>] [--json <file>] [--no-install]
  --only        run the parts of the table whose name contains the text
  --rounds      number of rounds for every part
  --json        file for the numbers (default bench/peers/results.json after a full run, which also writes
                docs/performance.md and its plots; otherwise bench/results/peers-<time>.json)
  --no-install  do not install the peer; without it, its rows are not measured`;

const committed = fileURLToPath(new URL('../../peers/results.json', import.meta.url));

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    rounds: { type: 'string' },
    json: { type: 'string' },
    'no-install': { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  },
});

try {
  if (values.help) say(usage);
  else await runAll();
  // Packages of the peer keep timers and connections.
  process.exit(0);
} catch (error) {
  say((error as Error).message);
  process.exit(2);
}

async function runAll(): Promise<void> {
  const { only = '' } = values;
  const rounds = roundsOf(values.rounds);
  const cases = allCases.filter(({ name }) => name.includes(only));
  if (cases.length === 0)
    throw new Error(
      `--only is "${only}", and no part of the table has that text in its name:\n${allCases.map(({ name }) => `  ${name}`).join('\n')}`,
    );
  if (!values['no-install']) installPeers();
  const makers = cases.map(
    ({ make }) =>
      () =>
        make(true),
  );
  const numbers = await runBenches(makers, { rounds, versions: peerVersions() });
  // Only a full run replaces the committed numbers: the page and the plots show a whole table of one run.
  const isFull = only === '' && rounds === undefined && values.json === undefined;
  const file = isFull ? committed : (values.json ?? partial());
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(numbers, null, 2)}\n`);
  say(`numbers in ${file}`);
  if (isFull) await writeReport();
}

function partial(): string {
  return fileURLToPath(new URL(`../../results/peers-${new Date().toISOString().replaceAll(':', '-')}.json`, import.meta.url));
}

/** Writes docs/performance.md and its plots from the committed numbers. */
async function writeReport(): Promise<void> {
  const script = new URL('../../../scripts/docs/performance-files.mjs', import.meta.url);
  const { performanceFiles } = (await import(script.href)) as { performanceFiles: () => { file: string; text: string }[] };
  for (const { file, text } of performanceFiles()) {
    writeFileSync(new URL(`../../../${file}`, import.meta.url), text);
    say(file);
  }
}
