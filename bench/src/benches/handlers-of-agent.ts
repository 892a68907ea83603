import { HookResponse } from '@tenterhook/handlers';
import { createHooks } from 'tenterhook';
import type { Bench } from '../bench.js';
import { engineWith } from './engine-with.js';

const count = 10;

/**
 * Compares handlers alone with the same handlers in the plan of an agent's event. Shows the cost of the plan if all hooks are functions.
 */
export async function handlersOfAgent(): Promise<Bench> {
  let calls = 0;
  const engine = engineWith(count, async () => {
    calls += 1;
    return HookResponse.continue_();
  });
  const hooks = await createHooks({ projectDir: '.', sessionId: 'bench', settings: {}, handlers: [engine] });
  const args = { path: 'a.txt', content: 'x'.repeat(850) };
  const payload = { session_id: 'bench', tool: 'write_file', args, working_directory: '/project', recent_tools: [] };
  const each = (name: string, once: () => Promise<void>) => ({
    name,
    batch: 100,
    run: async (times: number) => {
      calls = 0;
      for (let index = 0; index < times; index += 1) await once();
      if (calls !== times * count) throw new Error('not every handler was called');
    },
  });
  return {
    name: `${count} handlers of one event, alone and through an agent`,
    unit: 'µs',
    note: [
      'The difference buys one plan and one verdict with the command hooks of every dialect, an outcome with its duration for each hook,',
      'rewrites with who made them, progress on the bus, and cancelling by correlation id. Both call the same handlers.',
    ].join('\n  '),
    warmup: 20,
    rounds: 100,
    variants: [
      each('engine.fire', async () => {
        const { action, warnings } = await engine.fire({ event_type: 'pre_tool_use', payload });
        if (action !== 'Continue' || warnings.length > 0) throw new Error('the handlers did not answer');
      }),
      each('fireBeforeToolEvent', async () => {
        const { success, outcomes, errors } = await hooks.getEventHandler().fireBeforeToolEvent('write_file', args);
        if (!success || outcomes.length !== count || errors.length > 0) throw new Error('the handlers did not answer');
      }),
    ],
    marks: [
      {
        text: `${count} handlers through an agent take at most 4 times engine.fire`,
        reached: (median) => {
          const factor = median('fireBeforeToolEvent') / median('engine.fire');
          return { reached: factor <= 4, measured: `${factor.toFixed(2)}x` };
        },
      },
    ],
    dispose: () => hooks.dispose(),
  };
}
