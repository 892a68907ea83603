import { createHooks } from 'tenterhook';
import type { Bench } from '../bench.js';
import { nodeSpawn } from './node-spawn.js';

const command = `read -r event; echo '{"decision":"allow"}'`;

/** Compares one command hook through the whole system, including the bus, with Node's spawn of the same command. */
export async function commandHook(): Promise<Bench> {
  const hooks = await createHooks({ projectDir: '.', sessionId: 'bench', settings: { hooks: { BeforeTool: [{ hooks: [{ command }] }] } } });
  const input = { path: 'a.txt', content: 'x'.repeat(850) };
  const stdin = JSON.stringify({ tool_name: 'write_file', tool_input: input });
  const spawned = (shell: string) => ({
    name: `Node's spawn of ${shell} -c`,
    run: async () => {
      if (JSON.parse(await nodeSpawn(shell, command, stdin)).decision !== 'allow') throw new Error('the baseline did not answer');
    },
  });
  const hook = {
    name: 'a command hook, fired',
    run: async () => {
      const result = await hooks.getEventHandler().fireBeforeToolEvent('write_file', input);
      if (result.verdict.kind !== 'allow') throw new Error('the hook did not answer');
    },
  };
  const baseline = spawned('bash');
  return {
    name: 'one command hook, 1 KB on stdin',
    unit: 'ms',
    note: 'Hooks run in bash if it is installed, so compare with bash; sh (dash) starts faster than bash in either case.',
    warmup: 10,
    rounds: 150,
    variants: [baseline, spawned('sh'), hook],
    marks: [
      {
        text: "a command hook takes at most 1.5 times Node's spawn of the same command",
        reached: (median) => ({
          reached: median(hook.name) / median(baseline.name) <= 1.5,
          measured: `${(median(hook.name) / median(baseline.name)).toFixed(2)}x`,
        }),
      },
    ],
    dispose: () => hooks.dispose(),
  };
}
