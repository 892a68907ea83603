import { hookedAgent, withHooks } from '@tenterhook/ai-sdk';
import { jsonSchema, ToolLoopAgent, tool } from 'ai-v7';
import { MockLanguageModelV4 } from 'ai-v7/test';
import { createHookClient, endSessionWithHooks, startSessionWithHooks } from 'tenterhook/agent';
import { answer, prompt, steps } from './conversation.js';
import { inWorkspace } from './in-workspace.js';
import { stationTools } from './station-tools.js';

/** Runs the conversation with an agent of the AI SDK. In your project, `ai-v7` is `ai`. */
await inWorkspace(async (hooks, workspace) => {
  const client = createHookClient(hooks);
  const { systemMessages } = await startSessionWithHooks(client, 'startup');
  const tools = Object.fromEntries(
    Object.entries(stationTools(workspace)).map(([name, { description, fields, run }]) => {
      const properties = Object.fromEntries(fields.map((field) => [field, { type: 'string' as const }]));
      const inputSchema = jsonSchema<Record<string, string>>({ type: 'object', properties, required: [...fields] });
      return [name, tool({ description, inputSchema, execute: run })];
    }),
  );

  // These lines add the hooks: to the model and the tools, and to the turns of the agent.
  const settings = withHooks(client, { model: scriptedModel(), tools, instructions: systemMessages.join('\n') });
  const agent = hookedAgent(client, new ToolLoopAgent(settings));

  const { text } = await agent.generate({ prompt });
  console.log(`${text}\n`);
  await endSessionWithHooks(client, 'exit');
});

/** A model that makes the calls of the conversation, so that the example needs no key. */
function scriptedModel(): MockLanguageModelV4 {
  let at = 0;
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 1, text: 1, reasoning: undefined },
  };
  return new MockLanguageModelV4({
    doGenerate: async () => {
      const calls = steps[at++];
      if (calls === undefined) {
        return { content: [{ type: 'text', text: answer }], finishReason: { unified: 'stop', raw: undefined }, usage, warnings: [] };
      }
      const content = calls.map(({ id, name, input }) => ({
        type: 'tool-call' as const,
        toolCallId: id,
        toolName: name,
        input: JSON.stringify(input),
      }));
      return { content, finishReason: { unified: 'tool-calls', raw: undefined }, usage, warnings: [] };
    },
  });
}
