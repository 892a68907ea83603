import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { HookResponse } from '@tenterhook/handlers';
import { createHooks, type Hooks } from 'tenterhook';
import { readRecording } from 'tenterhook/recording';
import type { Bench } from '../bench.js';
import { engineWith } from './engine-with.js';

const count = 3;
const mostMoreMicroseconds = 60;
/** How long the thread of the recorder may write between two runs. Without it, messages would be dropped, which is faster. */
const writingMs = 30;

/** Compares an event of an agent that is not recorded, of one that is watched, and of one that is recorded to a file. */
export async function recording(): Promise<Bench> {
  const directory = mkdtempSync(join(tmpdir(), 'bench-recording-'));
  const file = join(directory, 'run.bus.jsonl');
  const systemOf = (record?: { readonly file: string }) =>
    createHooks({
      projectDir: directory,
      sessionId: 'bench',
      settings: {},
      handlers: [engineWith(count, async () => HookResponse.continue_())],
      ...(record === undefined ? {} : { record }),
    });
  const [alone, watched, recorded] = [await systemOf(), await systemOf(), await systemOf({ file })];
  let seen = 0;
  for (const channel of ['HOOK_EXECUTION_REQUEST', 'HOOK_EXECUTION_PROGRESS', 'HOOK_EXECUTION_RESPONSE'] as const)
    watched.bus.subscribe(channel, () => {
      seen += 1;
    });
  const input = { tool_name: 'write_file', tool_input: { path: 'a.txt', content: 'x'.repeat(850) } };
  const each = (name: string, hooks: Hooks) => ({
    name,
    batch: 50,
    prepare: () => pause(writingMs),
    run: async (times: number) => {
      for (let index = 0; index < times; index += 1) {
        const { success, outcomes } = await hooks.fire('BeforeTool', input);
        if (!success || outcomes.length !== count) throw new Error('the hooks did not answer');
        // The recorder passes the messages to its thread at the end of the turn, so each event has a turn of its own.
        await nextTurn();
      }
    },
  });
  return {
    name: `recording: an event with ${count} hooks that are functions, 1 KB`,
    note: 'The recorder serialises each message on the thread of the agent. Another thread masks and writes.',
    unit: 'µs',
    warmup: 40,
    rounds: 200,
    variants: [each('not recorded', alone), each('watched by a subscriber', watched), each('recorded to a file', recorded)],
    marks: [
      {
        text: `a recorded event takes at most ${mostMoreMicroseconds} µs longer`,
        reached: (median) => {
          const more = median('recorded to a file') - median('not recorded');
          return { reached: more <= mostMoreMicroseconds, measured: `${more.toFixed(1)} µs` };
        },
      },
    ],
    dispose: async () => {
      await Promise.all([alone, watched, recorded].map((hooks) => hooks.dispose()));
      const { notes, problems, exchanges } = await readRecording(file);
      rmSync(directory, { recursive: true });
      if (exchanges.length > 0 && seen === 0) throw new Error('the subscriber received nothing');
      if (problems.length > 0 || notes.some(({ note }) => note === 'dropped')) throw new Error('messages were not recorded');
    },
  };
}
