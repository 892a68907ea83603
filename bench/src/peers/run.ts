import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { roundsOf, runBenches, say } from '../run-benches.js';
import { allCases } from './cases/all-cases.js';
import { installPeers, peerVersions } from './install.js';

const usage = `npm run bench:peers -- [--only <text>] [--rounds <n>] [--json <file>] [--no-install]
  --only        run the parts of the table whose name contains the text
  --rounds      number of rounds for every part
  --json        file for the numbers (default bench/results/peers-<time>.json)
  --no-install  do not install the peer; without it, its rows are not measured`;

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    rounds: { type: 'string' },
    json: { type: 'string' },
    'no-install': { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  },
});

if (values.help) say(usage);
else await runAll();

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
  const folder = new URL('../../results/', import.meta.url);
  const file = values.json ?? fileURLToPath(new URL(`peers-${new Date().toISOString().replaceAll(':', '-')}.json`, folder));
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, `${JSON.stringify(numbers, null, 2)}\n`);
  say(`numbers in ${file}`);
}
