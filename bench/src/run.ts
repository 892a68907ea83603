import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { busRequest } from './benches/bus-request.js';
import { commandHook } from './benches/command-hook.js';
import { fanOut } from './benches/fan-out.js';
import { handlers } from './benches/handlers.js';
import { handlersOfAgent } from './benches/handlers-of-agent.js';
import { hostileSettings } from './benches/hostile-settings.js';
import { noHook } from './benches/no-hook.js';
import { recording } from './benches/recording.js';
import { relay } from './benches/relay.js';
import { residentHook } from './benches/resident-hook.js';
import { rewrite } from './benches/rewrite.js';
import { findNatsServer } from './benches/round-trip/nats-server.js';
import { roundTripInMemory, roundTripOnNats, roundTripOnSocket } from './benches/round-trip/round-trip.js';
import { slowSubscribers } from './benches/slow-subscribers.js';
import { start } from './benches/start.js';
import { telemetry, telemetryWithoutSdk } from './benches/telemetry.js';
import { trustOfEvent, trustOfLoad } from './benches/trust.js';
import { roundsOf, runBenches, say } from './run-benches.js';

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
const natsServer = findNatsServer();
const benches = [
  start,
  noHook,
  busRequest,
  roundTripInMemory,
  roundTripOnSocket,
  () => handlers('a promise'),
  () => handlers('at once'),
  handlersOfAgent,
  commandHook,
  residentHook,
  relay,
  () => fanOut(10),
  () => fanOut(100),
  () => rewrite('handlers', values.against),
  () => rewrite('commands', values.against),
  recording,
  telemetryWithoutSdk,
  telemetry,
  slowSubscribers,
  trustOfEvent,
  trustOfLoad,
  hostileSettings,
  // Last, because they slow the whole process down. A connection to NATS uses AsyncLocalStorage, after which an event takes a third longer;
  // after LangChain is loaded, an await does. The adapters are loaded only when it is their turn.
  ...(natsServer === undefined ? [] : [() => roundTripOnNats(natsServer)]),
  async () => (await import('./benches/adapter-ai-sdk.js')).adapterAiSdk(),
  async () => (await import('./benches/adapter-mcp.js')).adapterMcp(),
  async () => (await import('./benches/adapter-openai-agents.js')).adapterOpenAiAgents(),
  async () => (await import('./benches/adapter-langchain.js')).adapterLangChain(),
];

if (values.help) process.stdout.write(`${usage}\n`);
else {
  try {
    await runAll();
  } catch (error) {
    say((error as Error).message);
    process.exitCode = 2;
  }
}

async function runAll(): Promise<void> {
  if (natsServer === undefined) say('there is no nats-server, so its round trips are left out. Install it: apt-get install nats-server.');
  const numbers = await runBenches(benches, { only: values.only, rounds: roundsOf(values.rounds) });
  const file = values.json ?? new URL(`../results/${new Date().toISOString().replaceAll(':', '-')}.json`, import.meta.url).pathname;
  mkdirSync(new URL('../results/', import.meta.url), { recursive: true });
  writeFileSync(file, `${JSON.stringify(numbers, null, 2)}\n`);
  say(`numbers in ${file}`);
}
