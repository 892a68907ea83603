import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench, Mark, Variant } from '../../bench.js';
import type { Asker } from './asker.js';
import { busInMemory, emitterInMemory } from './memory.js';
import { busOnNats, libraryOnNats } from './nats.js';
import { startNatsServer } from './nats-server.js';
import { busOnSocket, linesOnSocket } from './socket.js';

const inFlight = [1, 16, 256] as const;
const requests = 1024;
const mostLatency = 1.3;
const leastThroughput = 0.8;

/** The two ways that are compared, and what ends both. */
interface Place {
  readonly raw: Asker;
  readonly rawName: string;
  readonly ours: Asker;
  readonly end: () => Promise<void>;
}

export async function roundTripInMemory(): Promise<Bench> {
  return roundTrip('memory', { raw: emitterInMemory(), rawName: "Node's EventEmitter", ours: busInMemory(), end: async () => {} });
}

export async function roundTripOnSocket(): Promise<Bench> {
  const directory = mkdtempSync(join(tmpdir(), 'bench-round-trip-'));
  const raw = await linesOnSocket(join(directory, 'raw'));
  const ours = await busOnSocket(join(directory, 'bus'));
  return roundTrip('a unix socket', { raw, rawName: 'lines of JSON', ours, end: async () => rmSync(directory, { recursive: true }) });
}

/** `file` is the path of nats-server. */
export async function roundTripOnNats(file: string): Promise<Bench> {
  const { url, stop } = await startNatsServer(file);
  return roundTrip('NATS', { raw: await libraryOnNats(url), rawName: 'the NATS library', ours: await busOnNats(url), end: stop });
}

/** Compares requests of 1 KB on a bus with those of a program that uses the same connection without a bus. */
function roundTrip(where: string, { raw, rawName, ours, end }: Place): Bench {
  const nameOf = (name: string, count: number) => `${count} in flight, ${name}`;
  const variants = inFlight.flatMap((count): Variant[] => [
    { name: nameOf(rawName, count), batch: requests, run: (times) => askMany(raw, count, times) },
    { name: nameOf('the bus', count), batch: requests, against: nameOf(rawName, count), run: (times) => askMany(ours, count, times) },
  ]);
  const ratioOf = (median: (variant: string) => number, count: number) => median(nameOf('the bus', count)) / median(nameOf(rawName, count));
  const marks: Mark[] = [
    {
      text: `${where}, 1 in flight: a request takes at most ${mostLatency} times as long as with ${rawName}`,
      reached: (median) => {
        const ratio = ratioOf(median, 1);
        return { reached: ratio <= mostLatency, measured: `${ratio.toFixed(2)} times` };
      },
    },
    {
      text: `${where}, 256 in flight: at least ${leastThroughput} times as many requests in a second as with ${rawName}`,
      reached: (median) => {
        const ratio = 1 / ratioOf(median, 256);
        return { reached: ratio >= leastThroughput, measured: `${ratio.toFixed(2)} times` };
      },
    },
  ];
  return {
    name: `round trip over ${where}: a request of 1 KB and an answer of 1 KB`,
    note: 'The answering side is a thread of the same process, except in memory. Without a bus there are no timeouts, no cancels and no checks.',
    unit: 'µs',
    warmup: 5,
    rounds: 30,
    variants: variants as [Variant, ...Variant[]],
    marks,
    dispose: async () => {
      await raw.close();
      await ours.close();
      await end();
    },
  };
}

/** Makes this many requests, and keeps `count` of them in flight. */
async function askMany(asker: Asker, count: number, times: number): Promise<void> {
  let left = times;
  const ask = async () => {
    while (left > 0) {
      left -= 1;
      await asker.ask();
    }
  };
  await Promise.all(Array.from({ length: count }, ask));
}
