import { HookResponse } from '@tenterhook/handlers';
import { createHooks } from 'tenterhook';
import { garbageCollector } from '../../allocation.js';
import { engineWith } from '../../benches/engine-with.js';
import { tool } from '../contenders/contender.js';
import { geminiHookSystem } from '../contenders/gemini-cli.js';

/**
 * Fires the events in a process of its own, and prints how many bytes more are in use after them. Usage: a contender, and a number of events.
 */
const [contender, events] = [process.argv[1], Number(process.argv[2])];
const fire = contender === 'Tenterhook' ? await fireOurs() : await firePeers();
const collect = garbageCollector();
await fireTimes(500);
const before = used();
await fireTimes(events);
process.stdout.write(`${JSON.stringify({ bytes: used() - before })}\n`);
process.exit(0);

async function fireTimes(times: number): Promise<void> {
  // A new input for each event, as in an agent. Made from bytes: a text that is put together shares its memory with the others.
  for (let index = 0; index < times; index += 1) await fire({ path: 'a.txt', index, content: Buffer.alloc(9_800, 'x').toString('latin1') });
}

function used(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function fireOurs(): Promise<(input: Record<string, unknown>) => Promise<void>> {
  const hooks = await createHooks({
    projectDir: '.',
    sessionId: 'bench',
    settings: {},
    handlers: [engineWith(1, async () => HookResponse.continue_())],
  });
  return async (input) => {
    const { success, outcomes } = await hooks.getEventHandler().fireBeforeToolEvent(tool, input);
    if (!success || outcomes.length !== 1) throw new Error('the hook did not answer');
  };
}

async function firePeers(): Promise<(input: Record<string, unknown>) => Promise<void>> {
  const system = await geminiHookSystem({});
  system.registerHook({ type: 'runtime', name: 'h', action: async () => ({}) }, 'BeforeTool');
  return async (input) => {
    const { success, allOutputs } = await system.getEventHandler().fireBeforeToolEvent(tool, input);
    if (!success || allOutputs.length !== 1) throw new Error('the hook did not answer');
  };
}
