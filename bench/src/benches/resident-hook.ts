import { createHooks } from 'tenterhook';
import type { Bench } from '../bench.js';

/** A hook in Node without an adapter, so that it needs no file. It answers both ways. */
const program = `const { text } = require("node:stream/consumers");
const answer = { decision: "allow" };
if (process.env.TENTERHOOK_MODE === "resident") {
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    console.log(JSON.stringify({ id: JSON.parse(line).id, output: answer }));
  });
} else text(process.stdin).then(() => console.log(JSON.stringify(answer)));`;

/** Compares a hook in Node that has one process for all events with the same hook that has a process for each event. */
export async function residentHook(): Promise<Bench> {
  const hook = (name: string, mode: string) => ({ name, command: `node -e '${program}'`, mode });
  const settings = (event: string, mode: string) => ({ [event]: [{ hooks: [hook(mode, mode)] }] });
  const hooks = await createHooks({
    projectDir: '.',
    sessionId: 'bench',
    dialect: 'llxprt',
    settings: { hooks: { ...settings('BeforeTool', 'resident'), ...settings('AfterTool', 'cold') } },
  });
  const call = { tool_name: 'write_file', tool_input: { path: 'a.txt', content: 'x'.repeat(850) } };
  const fired = (name: string, fire: () => Promise<{ readonly verdict: { readonly kind: string } }>) => ({
    name,
    run: async () => {
      if ((await fire()).verdict.kind !== 'allow') throw new Error('the hook did not answer');
    },
  });
  const cold = fired('a process for each event', () => hooks.fire('AfterTool', { ...call, tool_response: { llmContent: 'ok' } }));
  const resident = fired('resident', () => hooks.fire('BeforeTool', call));
  return {
    name: 'one hook in Node, 1 KB of input',
    unit: 'ms',
    warmup: 5,
    rounds: 60,
    variants: [cold, resident],
    marks: [
      {
        text: 'a resident hook in Node takes at most 1/20 of the same hook with a process for each event',
        reached: (median) => ({
          reached: median(resident.name) / median(cold.name) <= 0.05,
          measured: `1/${(median(cold.name) / median(resident.name)).toFixed(0)}`,
        }),
      },
    ],
    dispose: () => hooks.dispose(),
  };
}
