import { Agent } from '@openai/agents';
import type { HookClient } from '@tenterhook/agent';
import { z } from 'zod';
import { hookAgent, runWithHooks } from '../src/index.js';

/** Compiles only if both types are assignable to each other. */
function expectType<Expected>(): <Actual>(actual: Actual, same: Same<Actual, Expected>) => void {
  return () => undefined;
}
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;

// Compiling it is the test: an agent keeps its type, and a run has the output of the agent.
test('types of agents and outputs are those without hooks', () => {
  const compiled = async (client: HookClient) => {
    const agent = new Agent<{ user: string }, z.ZodObject<{ sum: z.ZodNumber }>>({
      name: 'Ada',
      outputType: z.object({ sum: z.number() }),
    });
    expectType<typeof agent>()(hookAgent(client, agent), true);
    const result = await runWithHooks(client, agent, 'go');
    expectType<{ sum: number } | undefined>()(result.finalOutput, true);
    const stream = await runWithHooks(client, agent, 'go', { run: { stream: true, context: { user: 'ada' } } });
    expectType<{ sum: number } | undefined>()(stream.finalOutput, true);
    expectType<Promise<void>>()(stream.completed, true);
    // @ts-expect-error There is no such option.
    await runWithHooks(client, agent, 'go', { asks: () => 'allow' });
  };
  expect(compiled).toBeDefined();
});
