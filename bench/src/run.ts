import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import type { Bench } from './bench.js';
import { busRequest } from './benches/bus-request.js';
import { commandHook } from './benches/command-hook.js';
import { fanOut } from './benches/fan-out.js';
import { handlers } from './benches/handlers.js';
import { handlersOfAgent } from './benches/handlers-of-agent.js';
import { noHook } from './benches/no-hook.js';
import { rewrite } from './benches/rewrite.js';
import { start } from './benches/start.js';
import { trustOfEvent, trustOfLoad } from './benches/trust.js';
import { describeMachine } from './machine.js';
import { type Measured, measure } from './measure.js';
import { renderMarks, renderTable } from './table.js';

const usage = `npm run bench -- [--only <text>] [--rounds <n>] [--against <folder>] [--json <file>]
  --only    run the benches whose name contains the text
  --rounds  number of rounds for every bench
  --against folder of another checkout, installed and built, to compare events without a rewrite with
  --json    file for the numbers (default bench/results/<time>.json)`;

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    rounds: { type: 'string' },
    against: { type: 'string' },
    json: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
});
const benches = [
  start,
  noHook,
  busRequest,
  () => handlers('a promise'),
  () => handlers('at once'),
  handlersOfAgent,
  commandHook,
  () => fanOut(10),
  () => fanOut(100),
  () => rewrite('handlers', values.against),
  () => rewrite('commands', values.against),
  trustOfEvent,
  trustOfLoad,
];

if (values.help) process.stdout.write(`${usage}\n`);
else await runAll();

async function runAll(): Promise<void> {
  const machine = describeMachine();
  for (const [name, value] of Object.entries(machine)) say(`${name.padEnd(20)} ${value}`);
  const results: { bench: string; unit: string; measured: Measured[] }[] = [];
  const marks: string[] = [];
  for (const make of benches) {
    const bench = await make();
    if (values.only === undefined || bench.name.includes(values.only)) {
      const rounds = values.rounds === undefined ? bench.rounds : Math.max(1, Number.parseInt(values.rounds, 10));
      const measured = await measure({ ...bench, rounds }, progressOf(bench, rounds));
      say(`\n${renderTable(bench, measured)}`);
      marks.push(...renderMarks(bench, measured));
      results.push({ bench: bench.name, unit: bench.unit, measured });
    }
    await bench.dispose?.();
  }
  const load = loadavg()[0] as number;
  say(`\nMarks\n${marks.join('\n')}`);
  say(`\nload at the end ${load.toFixed(2)}${load > availableParallelism() ? ': more than one per core, the run is void' : ''}`);

  const file = values.json ?? new URL(`../results/${new Date().toISOString().replaceAll(':', '-')}.json`, import.meta.url).pathname;
  mkdirSync(new URL('../results/', import.meta.url), { recursive: true });
  writeFileSync(file, `${JSON.stringify({ machine, load, results }, null, 2)}\n`);
  say(`numbers in ${file}`);
}

function progressOf(bench: Bench, rounds: number): (round: number) => void {
  return (round) => {
    if (process.stderr.isTTY)
      process.stderr.write(
        `\r${bench.name}: ${round < 0 ? 'warming up' : `${round + 1}/${rounds}`}\x1b[K${round === rounds - 1 ? '\r\x1b[K' : ''}`,
      );
  };
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
