import { atMost, concurrency } from '../../at-most.js';
import { nodeSpawn } from '../../benches/node-spawn.js';
import { type Contender, tool } from './contender.js';

/** Node's own spawn of a shell, with the same input and the same limit. */
export function spawned(shell: 'bash' | 'sh'): Contender {
  const name = `Node's spawn of ${shell} -c`;
  return {
    name,
    start: async ({ command, count = 1, sequential = false, prints }, input) => {
      const once = async () => {
        // Serialised for each event, because the contenders do it, too.
        const stdin = `${JSON.stringify({ tool_name: tool, tool_input: input })}\n`;
        if ((await nodeSpawn(shell, command, stdin)).trim() !== prints) throw new Error(`${name}: the command printed something else`);
      };
      return { name, fire: () => atMost(sequential ? 1 : concurrency, count, once) };
    },
  };
}
