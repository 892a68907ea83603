import { concurrency } from '../../at-most.js';
import type { Bench, Mark, Variant } from '../../bench.js';
import { type CommandHooks, callOf } from '../contenders/contender.js';
import { geminiCli } from '../contenders/gemini-cli.js';
import { posixSpawn, posixSpawnName } from '../contenders/posix-spawn.js';
import { spawned } from '../contenders/spawned.js';
import { startContenders } from '../contenders/start-contenders.js';
import { tenterhook, tenterhookDirect } from '../contenders/tenterhook.js';
import { atMostTimes, atMostUnits } from '../marks.js';
import type { Case } from './case.js';

export const [bash, sh] = [spawned('bash'), spawned('sh')];
const ours = tenterhook.name;
const withoutPeer = [bash, sh, tenterhook, tenterhookDirect, posixSpawn];

const read: CommandHooks = { command: `read -r j; echo '{"decision":"allow"}'`, prints: '{"decision":"allow"}' };
const cat: CommandHooks = { command: `cat >/dev/null; echo '{}'`, prints: '{}' };

const limitNote = `At most ${concurrency} run at once, but for Gemini CLI core, which has no limit.`;

const why = {
  start:
    'A lane forks itself for each hook. Tenterhook adds an environment, bounded outputs, a deadline, the end of the process group, and a verdict.',
  own: 'This time has the whole event: the request on the bus, the plan, the input, the lane, the outputs and the verdict.',
  floor: 'The C program starts and waits, and does nothing else.',
  stall: 'The first event starts the lanes, and each start of a process by Node blocks the event loop for some milliseconds.',
} as const;

interface Shape {
  readonly name: string;
  readonly hooks: CommandHooks;
  readonly bytes?: number;
  readonly rounds: number;
  readonly marks?: readonly Mark[];
  readonly note?: string;
}

/** Command hooks of shells: what one event takes, from the request to the verdict. */
export const shellCases: readonly Case[] = [
  { name: 'one hook: true', hooks: { command: 'true', prints: '' } as const, rounds: 100 },
  {
    name: "one hook: cat >/dev/null; echo '{}'",
    hooks: cat,
    rounds: 100,
    marks: [atMostTimes(0.65, 'one cat hook', ours, bash.name, why.start)],
  },
  {
    name: `one hook: ${read.command}`,
    hooks: read,
    rounds: 100,
    marks: [
      atMostTimes(0.4, 'one sh hook', ours, sh.name, why.start),
      atMostUnits(0.3, 'ms', 'main thread busy for one hook', ours, ({ busy }) => busy, why.own),
      atMostUnits(0.5, 'ms', 'own processor time for one hook', ours, ({ cpu }) => cpu, why.own),
    ],
  },
  { name: '10 hooks side by side', hooks: { ...read, count: 10 }, rounds: 30, note: limitNote },
  {
    name: '100 hooks side by side',
    note: limitNote,
    hooks: { ...read, count: 100 },
    rounds: 10,
    marks: [
      atMostTimes(0.3, '100 hooks', ours, sh.name, why.start),
      atMostTimes(0.8, '100 hooks', ours, posixSpawnName, why.floor),
      atMostUnits(8, 'ms', 'longest stall with 100 hooks', ours, ({ stall = Number.NaN }) => stall, why.stall),
    ],
  },
  {
    name: '10 hooks one after another',
    hooks: { ...read, count: 10, sequential: true },
    rounds: 20,
    marks: [atMostTimes(0.4, '10 hooks one after another', ours, sh.name, why.start)],
  },
  { name: "100 KB on stdin: cat >/dev/null; echo '{}'", hooks: cat, bytes: 100_000, rounds: 60 },
  { name: "1 MB on stdin: cat >/dev/null; echo '{}'", hooks: cat, bytes: 1_000_000, rounds: 40 },
].map(commandCase);

/** The same hook in languages whose start takes longer than everything else. Not guarded: the start hides what Tenterhook adds. */
export const languageCases: readonly Case[] = [
  {
    name: 'one Python hook',
    hooks: { command: `python3 -c 'import json, sys; json.load(sys.stdin); print("{}")'`, prints: '{}' } as const,
  },
  {
    name: 'one Node hook',
    hooks: {
      command: `node -e 'let text = ""; process.stdin.on("data", (part) => { text += part; }).on("end", () => { JSON.parse(text); console.log("{}"); })'`,
      prints: '{}',
    } as const,
  },
].map((shape) => ({ ...commandCase({ ...shape, rounds: 20 }), guarded: false }));

function commandCase({ name, hooks, bytes = 1000, rounds, marks, note }: Shape): Case {
  return {
    name,
    make: async (withPeer) => {
      const contenders = withPeer ? [...withoutPeer, geminiCli] : withoutPeer;
      const { variants, absent, dispose } = await startContenders(contenders, hooks, callOf(bytes));
      return {
        name,
        unit: 'ms',
        warmup: rounds > 50 ? 10 : 2,
        rounds,
        stallRounds: Math.min(10, rounds),
        variants: variants as [Variant, ...Variant[]],
        absent,
        ...(marks === undefined ? {} : { marks }),
        ...(note === undefined ? {} : { note }),
        dispose,
      } satisfies Bench;
    },
  };
}
