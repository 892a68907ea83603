import type { HookClient } from '@tenterhook/agent';
import { hookedAgent, withHooks } from '@tenterhook/ai-sdk';
import * as v5 from 'ai-v5';
import { MockLanguageModelV2 } from 'ai-v5/test';
import * as v6 from 'ai-v6';
import { MockLanguageModelV3 } from 'ai-v6/test';
import * as v7 from 'ai-v7';
import { MockLanguageModelV4 } from 'ai-v7/test';
import { z } from 'zod';

/** Compiles only if both types are assignable to each other. */
function expectType<Expected>(): <Actual>(actual: Actual, same: Same<Actual, Expected>) => void {
  return () => undefined;
}
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;

const inputSchema = z.object({ path: z.string() });
const execute = async ({ path }: { path: string }) => ({ length: path.length });

// Compiling them is the test: the types of inputs and outputs are those of the tools, as without the adapter.
describe('A19: the types of tools survive', () => {
  test('AI SDK 5', () => {
    const compiled = async (client: HookClient) => {
      const settings = withHooks(client, { model: new MockLanguageModelV2(), tools: { read: v5.tool({ inputSchema, execute }) } });
      const { toolCalls, toolResults } = await v5.generateText({ ...settings, prompt: 'Hi.' });
      for (const call of toolCalls) if (!call.dynamic) expectType<{ path: string }>()(call.input, true);
      for (const result of toolResults) if (!result.dynamic) expectType<{ length: number }>()(result.output, true);
      const streamed = v5.streamText({ ...settings, prompt: 'Hi.' });
      for (const result of await streamed.toolResults) if (!result.dynamic) expectType<{ length: number }>()(result.output, true);
      const agent = hookedAgent(client, new v5.Experimental_Agent(settings));
      const { toolResults: ofAgent } = await agent.generate({ prompt: 'Hi.' });
      for (const result of ofAgent) if (!result.dynamic) expectType<{ length: number }>()(result.output, true);
      // The stream of AI SDK 5 comes at once, and with hooks after them.
      expectType<Promise<ReturnType<v5.Experimental_Agent<typeof settings.tools>['stream']>>>()(agent.stream({ prompt: 'Hi.' }), true);
    };
    expect(compiled).toBeDefined();
  });

  test('AI SDK 6', () => {
    const compiled = async (client: HookClient) => {
      const settings = withHooks(client, { model: new MockLanguageModelV3(), tools: { read: v6.tool({ inputSchema, execute }) } });
      const { toolCalls, toolResults } = await v6.generateText({ ...settings, prompt: 'Hi.' });
      for (const call of toolCalls) if (!call.dynamic) expectType<{ path: string }>()(call.input, true);
      for (const result of toolResults) if (!result.dynamic) expectType<{ length: number }>()(result.output, true);
      const streamed = v6.streamText({ ...settings, prompt: 'Hi.' });
      for (const result of await streamed.toolResults) if (!result.dynamic) expectType<{ length: number }>()(result.output, true);
      const plain = new v6.ToolLoopAgent(withHooks(client, { ...settings, instructions: 'Be brief.' }));
      const agent = hookedAgent(client, plain);
      expectType<typeof plain>()(agent, true);
    };
    expect(compiled).toBeDefined();
  });

  test('AI SDK 7', () => {
    const compiled = async (client: HookClient) => {
      const settings = withHooks(client, { model: new MockLanguageModelV4(), tools: { read: v7.tool({ inputSchema, execute }) } });
      const { toolCalls, toolResults } = await v7.generateText({ ...settings, prompt: 'Hi.' });
      for (const call of toolCalls) if (!call.dynamic) expectType<{ path: string }>()(call.input, true);
      for (const result of toolResults) if (!result.dynamic) expectType<{ length: number }>()(result.output, true);
      const streamed = v7.streamText({ ...settings, prompt: 'Hi.' });
      for (const result of await streamed.toolResults) if (!result.dynamic) expectType<{ length: number }>()(result.output, true);
      const plain = new v7.ToolLoopAgent(withHooks(client, { ...settings, instructions: 'Be brief.' }));
      const agent = hookedAgent(client, plain, { createSteering: v7.experimental_createSteering });
      expectType<typeof plain>()(agent, true);
    };
    expect(compiled).toBeDefined();
  });

  test('a misspelt setting is an error of the SDK, and a misspelt option one of the adapter', () => {
    const compiled = (client: HookClient) => {
      // @ts-expect-error an unknown option
      withHooks(client, { model: new MockLanguageModelV4() }, { asks: () => 'allow' });
      // @ts-expect-error the model must be one
      withHooks(client, { model: 7 });
      // @ts-expect-error unknown settings stay unknown
      new v7.ToolLoopAgent(withHooks(client, { model: new MockLanguageModelV4(), instructionz: 'Be brief.' } as const)).settings
        .instructionz;
    };
    expect(compiled).toBeDefined();
  });
});
