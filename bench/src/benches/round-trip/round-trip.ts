import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench, Mark, Variant } from '../../bench.js';
import type { Asker } from './asker.js';
import { timeoutMs } from './callers.js';
import { clientOnSocket } from './client-on-socket.js';
import { busInMemory, clientInMemory, emitterInMemory } from './memory.js';
import { busOnNats, libraryOnNats } from './nats.js';
import { startNatsServer } from './nats-server.js';
import { busOnSocket, linesOnSocket } from './socket.js';

const inFlight = [1, 16, 256] as const;
const requests = 1024;
const mostLatency = 1.3;
const leastThroughput = 0.8;

/** A program without a bus, and the bus with the same deadlines. */
interface Pair {
  readonly rawName: string;
  readonly raw: Asker;
  readonly oursName: string;
  readonly ours: Asker;
}

/** The ways that are compared, and what ends them. */
interface Place {
  /** The program that has what a program needs. The marks compare with it. */
  readonly client: Pair;
  /** A program without deadlines and errors. */
  readonly bare?: Pair;
  readonly end: () => Promise<void>;
}

export async function roundTripInMemory(): Promise<Bench> {
  return roundTrip('memory', {
    client: { rawName: 'EventEmitter, timeouts', raw: clientInMemory(), oursName: 'the bus, timeouts', ours: busInMemory({ timeoutMs }) },
    bare: { rawName: 'EventEmitter, bare', raw: emitterInMemory(), oursName: 'the bus', ours: busInMemory() },
    end: async () => {},
  });
}

export async function roundTripOnSocket(): Promise<Bench> {
  const directory = mkdtempSync(join(tmpdir(), 'bench-round-trip-'));
  const [raw, ours] = [await clientOnSocket(join(directory, 'client')), await busOnSocket(join(directory, 'bus'), { timeoutMs })];
  const [bare, untimed] = [await linesOnSocket(join(directory, 'bare')), await busOnSocket(join(directory, 'untimed'))];
  return roundTrip('a unix socket', {
    client: { rawName: 'lines of JSON, timeouts', raw, oursName: 'the bus, timeouts', ours },
    bare: { rawName: 'lines of JSON, bare', raw: bare, oursName: 'the bus', ours: untimed },
    end: async () => rmSync(directory, { recursive: true }),
  });
}

/** `file` is the path of nats-server. */
export async function roundTripOnNats(file: string): Promise<Bench> {
  const { url, stop } = await startNatsServer(file);
  const [raw, ours] = [await libraryOnNats(url), await busOnNats(url, { timeoutMs })];
  return roundTrip('NATS', {
    client: { rawName: 'the NATS library, timeouts', raw, oursName: 'the bus, timeouts', ours },
    end: stop,
  });
}

/** Compares requests of 1 KB on a bus with those of programs that use the same connection without a bus. */
function roundTrip(where: string, { client, bare, end }: Place): Bench {
  const pairs = bare === undefined ? [client] : [client, bare];
  const nameOf = (name: string, count: number) => `${count} in flight, ${name}`;
  const variants = inFlight.flatMap((count) =>
    pairs.flatMap(({ rawName, raw, oursName, ours }): Variant[] => {
      const against = nameOf(rawName, count);
      return [
        { name: against, against, batch: requests, run: (times) => askMany(raw, count, times) },
        { name: nameOf(oursName, count), against, batch: requests, run: (times) => askMany(ours, count, times) },
      ];
    }),
  );
  const markOf = (text: string, count: number, limit: number, isThroughput: boolean): Mark => ({
    text,
    reached: (median) => {
      const [ratio, bareRatio] = pairs.map(({ rawName, oursName }) => {
        const times = median(nameOf(oursName, count)) / median(nameOf(rawName, count));
        return isThroughput ? 1 / times : times;
      }) as [number, number?];
      const beside = bareRatio === undefined ? '' : `; ${bareRatio.toFixed(2)} times without timeouts on both sides`;
      return { reached: isThroughput ? ratio >= limit : ratio <= limit, measured: `${ratio.toFixed(2)} times${beside}` };
    },
  });
  const { rawName } = client;
  return {
    name: `round trip over ${where}: a request of 1 KB and an answer of 1 KB`,
    note: 'The answering side is a thread of the same process, except in memory. Each ratio is to the line before it.',
    unit: 'µs',
    warmup: 5,
    rounds: 30,
    variants: variants as [Variant, ...Variant[]],
    marks: [
      markOf(`${where}, 1 in flight: a request takes at most ${mostLatency} times as long as with ${rawName}`, 1, mostLatency, false),
      markOf(
        `${where}, 256 in flight: at least ${leastThroughput} times as many requests in a second as with ${rawName}`,
        256,
        leastThroughput,
        true,
      ),
    ],
    dispose: async () => {
      for (const { raw, ours } of pairs) {
        await raw.close();
        await ours.close();
      }
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
