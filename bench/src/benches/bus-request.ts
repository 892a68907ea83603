import { MessageBus } from '@tenterhook/bus';
import type { Bench } from '../bench.js';

const one = 1000;

/** Compares a request and its response in memory with an awaited function in a Map, which is the minimum cost of a correlated call. */
export function busRequest(): Bench {
  const bus = new MessageBus();
  const output = {
    success: true,
    verdict: { kind: 'none' as const, stop: false, by: [], stoppedBy: [] },
    changes: [],
    allOutputs: [],
    outcomes: [],
    errors: [],
    totalDuration: 0,
  };
  bus.respond('HOOK_EXECUTION_REQUEST', async () => ({ success: true, output }), { maxInFlight: 4096 });
  const functions = new Map([['answer', async (_payload: object) => ({ success: true, output })]]);
  const payload = { eventName: 'BeforeTool', input: {} };

  const ask = async () => {
    const response = await bus.request('HOOK_EXECUTION_REQUEST', payload);
    if (!response.success) throw new Error('the request failed');
  };
  const atOnce = (count: number) => ({
    name: `${count} requests at once, each`,
    batch: count,
    run: async () => {
      await Promise.all(Array.from({ length: count }, ask));
    },
  });
  const [hundred, thousand] = [atOnce(100), atOnce(1000)];
  return {
    name: 'a bus request and its response',
    unit: 'µs',
    warmup: 20,
    rounds: 200,
    variants: [
      {
        name: 'an awaited function in a Map',
        batch: one,
        run: async (times) => {
          for (let index = 0; index < times; index += 1) await functions.get('answer')?.(payload);
        },
      },
      {
        name: 'one request in flight',
        batch: one,
        run: async (times) => {
          for (let index = 0; index < times; index += 1) await ask();
        },
      },
      hundred,
      thousand,
    ],
    marks: [
      {
        text: 'one request in flight costs at most 1 µs over an awaited function in a Map',
        reached: (median) => {
          const over = median('one request in flight') - median('an awaited function in a Map');
          return { reached: over <= 1, measured: `${over.toFixed(2)} µs` };
        },
      },
      {
        text: '1000 requests at once cost at most 11 times 100 at once',
        reached: (median) => {
          const factor = (median(thousand.name) * 1000) / (median(hundred.name) * 100);
          return { reached: factor <= 11, measured: `${factor.toFixed(1)}x` };
        },
      },
    ],
    dispose: () => bus.close(),
  };
}
