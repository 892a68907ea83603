import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { HookResponse } from '@tenterhook/handlers';
import { createHooks, type Hooks, listenOnSocket, MessageBus } from 'tenterhook';
import type { Bench } from '../bench.js';
import { engineWith } from './engine-with.js';

const loops = 300;
const blockMs = 1_000;
const mostTimes = 1.25;

interface System {
  readonly hooks: Hooks;
  readonly end: () => Promise<void>;
}

/** Compares events that quick subscribers watch with events that slow ones watch: loops that do not go on, and a thread that blocks. */
export async function slowSubscribers(): Promise<Bench> {
  const directory = mkdtempSync(join(tmpdir(), 'bench-subscribers-'));
  const [quick, stuck] = [await withLoops(() => {}), await withLoops(() => new Promise<void>(() => {}))];
  const [reading, blocked] = [await withThread(join(directory, 'a'), 0), await withThread(join(directory, 'b'), blockMs)];
  const systems = [quick, stuck, reading, blocked];
  const input = { tool_name: 'write_file', tool_input: { path: 'a.txt', content: 'x'.repeat(850) } };
  const each = (name: string, { hooks }: System, against?: string) => ({
    name,
    batch: 10,
    ...(against === undefined ? {} : { against }),
    run: async (times: number) => {
      for (let index = 0; index < times; index += 1) {
        const { success, outcomes } = await hooks.fire('BeforeTool', input);
        if (!success || outcomes.length !== 1) throw new Error('the hook did not answer');
      }
    },
  });
  const names = [
    `${loops} loops that read at once`,
    `${loops} loops that are stuck`,
    'a thread at a socket that reads at once',
    `a thread at a socket that blocks for ${blockMs} ms`,
  ] as const;
  const mark = (slow: string, fast: string) => ({
    text: `${slow}: an event takes at most ${mostTimes} times as long as with ${fast}`,
    reached: (median: (variant: string) => number) => {
      const times = median(slow) / median(fast);
      return { reached: times <= mostTimes, measured: `${times.toFixed(2)} times` };
    },
  });
  return {
    name: 'slow subscribers: an event with a hook that is a function, 1 KB',
    note: 'A function that blocks the thread of the agent delays everything in it. So the subscriber that blocks has a thread of its own.',
    unit: 'µs',
    warmup: 20,
    rounds: 200,
    variants: [each(names[0], quick), each(names[1], stuck), each(names[2], reading), each(names[3], blocked, names[2])],
    marks: [mark(names[1], names[0]), mark(names[3], names[2])],
    dispose: async () => {
      await Promise.all(systems.map(({ end }) => end()));
      rmSync(directory, { recursive: true });
    },
  };
}

function hooksOn(bus: MessageBus): Promise<Hooks> {
  const handlers = [engineWith(1, async () => HookResponse.continue_())];
  return createHooks({ projectDir: '.', sessionId: 'bench', settings: {}, handlers, bus });
}

/** Reads the progress in many loops. Each calls `use` for a message, and goes on when it has ended. */
async function withLoops(use: () => Promise<void> | void): Promise<System> {
  const bus = new MessageBus();
  const hooks = await hooksOn(bus);
  const iterators = Array.from({ length: loops }, () => bus.subscribe('HOOK_EXECUTION_PROGRESS', { maxBuffered: 100 }));
  const isQuick = use() === undefined;
  // The benchmark may be left out.
  let hasFired = false;
  hooks.onResult(() => {
    hasFired = true;
  });
  for (const messages of iterators) void readAll(messages, use);
  return {
    hooks,
    end: async () => {
      await hooks.dispose();
      await bus.close();
      const slow = iterators.filter(({ dropped }) => dropped > 0).length;
      if (hasFired && slow !== (isQuick ? 0 : loops)) throw new Error(`messages of ${slow} loops were dropped`);
    },
  };
}

async function readAll(messages: AsyncIterable<unknown>, use: () => Promise<void> | void): Promise<void> {
  for await (const _message of messages) await use();
}

async function withThread(path: string, blockMs: number): Promise<System> {
  const hub = await listenOnSocket({ path });
  const bus = new MessageBus({ transport: hub });
  const hooks = await hooksOn(bus);
  const thread = new Worker(new URL('./subscriber-thread.js', import.meta.url), { workerData: { path, blockMs } });
  await once(thread, 'message');
  return {
    hooks,
    end: async () => {
      await hooks.dispose();
      await thread.terminate();
      await bus.close();
      await hub.close();
    },
  };
}
