import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { describeMachine } from '../machine.js';
import { allCases } from '../peers/cases/all-cases.js';
import { type RunResult, roundsOf, runBenches, say } from '../run-benches.js';
import { type Bounds, readBounds } from './bounds.js';
import { boundsOf, describeWorse, judge } from './judge.js';

const usage = `npm run bench:guard -- [--update] [--only <text>] [--rounds <n>] [--bounds <file>]
  --update  measure, and write the bounds instead of comparing with them
  --only    compare only the benchmarks whose name contains the text
  --rounds  number of rounds for every benchmark
  --bounds  file of the bounds (default bench/bounds.json)`;

const runs = 3;
const { values } = parseArgs({
  options: {
    update: { type: 'boolean' },
    only: { type: 'string' },
    rounds: { type: 'string' },
    bounds: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
});

try {
  if (values.help) say(usage);
  else process.exitCode = await guard();
} catch (error) {
  say((error as Error).message);
  process.exitCode = 2;
}

/** Returns the exit code: 1 if a ratio is worse than its bound. */
async function guard(): Promise<number> {
  const file = values.bounds ?? fileURLToPath(new URL('../../bounds.json', import.meta.url));
  const { only = '' } = values;
  if (values.update && only !== '') throw new Error('--update writes all bounds, so it cannot be combined with --only. Leave out --only.');
  const rounds = roundsOf(values.rounds);
  // Read first: a file that cannot be used is reported before minutes of measuring.
  const bounds = values.update ? undefined : boundsWith(only, readBounds(file));
  const machine = describeMachine();
  for (const [name, value] of Object.entries(machine)) say(`${name.padEnd(20)} ${value}`);
  const measured: RunResult[] = [];
  const cases = allCases.filter(({ name, guarded = true }) => guarded && name.includes(only));
  if (cases.length === 0)
    throw new Error(`--only is "${only}", and no benchmark of the guard has that text in its name. Pass --only "one hook".`);
  for (let run = 1; run <= runs; run += 1) {
    const result = await runBenches(
      cases.map(
        ({ make }) =>
          () =>
            make(false),
      ),
      { rounds, quiet: true },
    );
    measured.push(result);
    const isVoid = result.load > availableParallelism();
    say(`run ${run} of ${runs}: load ${result.load.toFixed(2)}${isVoid ? ', more than one per core: its ratios are not reliable' : ''}`);
  }
  const results = measured.map((result) => result.results);
  if (bounds === undefined) {
    const { load: _load, parent: _parent, ...stable } = machine;
    writeFileSync(file, `${JSON.stringify(boundsOf(results, stable), null, 2)}\n`);
    say(`bounds in ${file}`);
    return 0;
  }
  const { worse, unmeasured, unbounded } = judge(bounds, results);
  for (const name of unmeasured) say(`${file} has a bound of ${name}, which no benchmark measures. Run npm run bench:guard -- --update.`);
  for (const name of unbounded) say(`${file} has no bound of ${name}. Run npm run bench:guard -- --update.`);
  if (worse.length > 0)
    say(`\nWorse than the bounds in ${file}, which were measured on ${bounds.machine['machine'] ?? 'another machine'}:`);
  for (const one of worse) say(`  ${describeWorse(one)}`);
  const failed = worse.length + unmeasured.length + unbounded.length > 0;
  say(failed ? '\nIf a change is deliberate, run npm run bench:guard -- --update.' : 'No ratio is worse than its bound.');
  return failed ? 1 : 0;
}

function boundsWith(text: string, { machine, atMost }: Bounds): Bounds {
  return { machine, atMost: Object.fromEntries(Object.entries(atMost).filter(([bench]) => bench.includes(text))) };
}
