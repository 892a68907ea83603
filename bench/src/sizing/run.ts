import { parseArgs } from 'node:util';
import { leastWorkers, meanServiceMs, simulate } from './simulate.js';

const usage = `npm run bench:sizing -- [--service-ms <ms>] [--service-p95-ms <ms>] [--slots <n>] [--agents <n>] [--events <n>] [--seconds <n>] [--seed <n>]
  --service-ms      median time for which one event occupies a worker's slot (default 20). Measure it with your hooks
  --service-p95-ms  95th percentile of this time (default three times the median)
  --slots           events that a worker carries out at the same time, usually one for each core (default 8)
  --agents          number of agents (default 10000)
  --events          events of one agent in a second (default 1)
  --seconds         simulated time (default 30)
  --seed            equal seeds give equal numbers (default 1)`;

const option = { type: 'string' } as const;
const { values } = parseArgs({
  options: {
    'service-ms': option,
    'service-p95-ms': option,
    slots: option,
    agents: option,
    events: option,
    seconds: option,
    seed: option,
    help: { type: 'boolean', short: 'h' },
  },
});

if (values.help) process.stdout.write(`${usage}\n`);
else {
  try {
    process.stdout.write(table());
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 64;
  }
}

function table(): string {
  const serviceMs = positive('service-ms', 20);
  const load = {
    agents: positive('agents', 10_000),
    eventsPerSecond: positive('events', 1),
    slots: Math.max(1, Math.floor(positive('slots', 8))),
    serviceMs,
    serviceP95Ms: positive('service-p95-ms', 3 * serviceMs),
    seconds: positive('seconds', 30),
    seed: Math.floor(positive('seed', 1)),
  };
  const rows = [0.9, 0.8, 0.7, 0.6, 0.5, 0.3].map((target) => simulate(load, leastWorkers(load, target)));
  const head = ['workers', 'busy', 'p50 ms', 'p95 ms', 'p99 ms', 'most in flight'];
  const cells = rows.map(({ workers, utilisation, p50Ms, p95Ms, p99Ms, mostInFlight }) => [
    String(workers),
    `${Math.round(utilisation * 100)} %`,
    ...[p50Ms, p95Ms, p99Ms].map((ms) => ms.toFixed(0)),
    String(mostInFlight),
  ]);
  const widths = head.map((text, column) => Math.max(text.length, ...cells.map((row) => (row[column] as string).length)));
  const lines = [head, ...cells].map((row) => row.map((text, column) => text.padStart(widths[column] as number)).join('  '));
  const { agents, eventsPerSecond, slots, serviceP95Ms } = load;
  const first = `${agents} agents, ${eventsPerSecond} ${eventsPerSecond === 1 ? 'event' : 'events'} a second each; an event takes ${serviceMs} ms (median), ${serviceP95Ms} ms (p95), ${meanServiceMs(load).toFixed(1)} ms (mean); ${slots} at a time in a worker`;
  return `${[first, '', ...lines].join('\n')}\n`;
}

function positive(name: keyof typeof values, otherwise: number): number {
  const text = values[name];
  if (text === undefined) return otherwise;
  const number = Number(text);
  if (!(number > 0 && number <= 1e6))
    throw new Error(`--${name} is ${JSON.stringify(text)}. It must be a number above 0, at most 1000000.`);
  return number;
}
