import { createHooks } from 'tenterhook';
import { atMost, concurrency } from '../at-most.js';
import type { Bench } from '../bench.js';
import { nodeSpawn } from './node-spawn.js';

const command = `read -r event; echo '{"decision":"allow"}'`;

/** Compares many hooks of one event with the same number of spawns under the same limit. */
export async function fanOut(count: number): Promise<Bench> {
  const group = { hooks: Array.from({ length: count }, (_, index) => ({ name: `h${index}`, command })) };
  const hooks = await createHooks({
    projectDir: '.',
    sessionId: 'bench',
    limits: { concurrency },
    settings: { hooks: { BeforeTool: [group] } },
  });
  const input = { path: 'a.txt', content: 'x'.repeat(850) };
  const stdin = JSON.stringify({ tool_name: 'write_file', tool_input: input });
  return {
    name: `${count} command hooks of one event, at most ${concurrency} at once`,
    unit: 'ms',
    warmup: 1,
    rounds: count > 50 ? 10 : 30,
    variants: [
      {
        name: `${count} of Node's spawn of bash -c`,
        run: () =>
          atMost(concurrency, count, async () => {
            if (JSON.parse(await nodeSpawn('bash', command, stdin)).decision !== 'allow') throw new Error('the baseline did not answer');
          }),
      },
      {
        name: `an event with ${count} hooks`,
        run: async () => {
          const result = await hooks.getEventHandler().fireBeforeToolEvent('write_file', input);
          if (result.verdict.by.length !== count) throw new Error('not every hook answered');
        },
      },
    ],
    dispose: () => hooks.dispose(),
  };
}
