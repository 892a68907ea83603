import { setTimeout } from 'node:timers/promises';
import { garbageCollector } from '../../allocation.js';
import type { Variant } from '../../bench.js';
import { callOf } from '../contenders/contender.js';
import { geminiCli } from '../contenders/gemini-cli.js';
import { startContenders } from '../contenders/start-contenders.js';
import { tenterhook, tenterhookDirect } from '../contenders/tenterhook.js';
import { atMostTimes } from '../marks.js';
import type { Case } from './case.js';
import { sh } from './command-hooks.js';

const name = 'one hook in an agent that holds 512 MB of Buffers';
const size = 512 * 2 ** 20;
const large = (contender: string) => `${contender}, 512 MB`;

const why = 'A lane forks itself, so the memory of the agent counts only when a lane is started.';

/** Allocates or frees the memory, and runs a hook: V8 collects garbage after a large allocation, and a hook does not cause it. */
function settled({ run }: Variant, hold: () => Promise<void>): () => Promise<void> {
  return async () => {
    await hold();
    await run(1);
  };
}

/**
 * The same hook with and without Buffers in the process of the agent. Node starts a process with `fork`, which copies the tables of all
 * memory of the process.
 */
export const largeAgent: Case = {
  name,
  make: async (withPeer) => {
    const hooks = { command: `read -r j; echo '{"decision":"allow"}'`, prints: '{"decision":"allow"}' } as const;
    const contenders = withPeer ? [sh, tenterhook, tenterhookDirect, geminiCli] : [sh, tenterhook, tenterhookDirect];
    const started = await startContenders(contenders, hooks, callOf(1000));
    const collect = garbageCollector();
    let held: Buffer | undefined;
    const hold = (bytes: number) => async () => {
      if (bytes === (held?.length ?? 0)) return;
      held = bytes === 0 ? undefined : Buffer.alloc(bytes, 1);
      if (held !== undefined) return;
      // A collection in a later turn of the event loop frees the memory, on another thread.
      const most = process.memoryUsage.rss() - size / 2;
      for (let turn = 0; process.memoryUsage.rss() > most; turn += 1) {
        if (turn === 200) throw new Error('the Buffers were not freed');
        collect();
        await setTimeout(5);
      }
    };
    const [first, ...rest] = started.variants.flatMap((variant) => [
      { ...variant, prepare: settled(variant, hold(0)) },
      { ...variant, name: large(variant.name), against: variant.name, prepare: settled(variant, hold(size)) },
    ]);
    return {
      name,
      note: 'Each measured hook follows one that is not measured, because the first one pays for the collection of garbage.',
      unit: 'ms',
      warmup: 1,
      rounds: 30,
      stallRounds: 5,
      variants: [first as Variant, ...rest],
      absent: started.absent,
      marks: [atMostTimes(1.2, 'a hook with 512 MB of Buffers', large(tenterhook.name), tenterhook.name, why)],
      dispose: async () => {
        await hold(0)();
        await started.dispose();
      },
    };
  },
};
