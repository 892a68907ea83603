import { hooksMiddleware } from '@tenterhook/langchain';
import { AIMessage, createAgent, fakeModel, tool } from 'langchain';
import { createHookClient, endSessionWithHooks, startSessionWithHooks } from 'tenterhook/agent';
import { answer, prompt, steps } from './conversation.js';
import { inWorkspace } from './in-workspace.js';
import { stationTools } from './station-tools.js';

/** Runs the conversation with an agent of LangChain. */
await inWorkspace(async (hooks, workspace) => {
  const client = createHookClient(hooks);
  const { systemMessages } = await startSessionWithHooks(client, 'startup');
  const tools = Object.entries(stationTools(workspace)).map(([name, { description, fields, run }]) => {
    const properties = Object.fromEntries(fields.map((field) => [field, { type: 'string' as const }]));
    const schema = { type: 'object' as const, properties, required: [...fields] };
    return tool((input) => run(input as Record<string, string>), { name, description, schema });
  });

  // This line adds the hooks: to the model, the tools and the turns of the agent.
  const middleware = [hooksMiddleware(client)];
  const agent = createAgent({ model: scriptedModel(), tools, systemPrompt: systemMessages.join('\n'), middleware });

  const { messages } = await agent.invoke({ messages: [{ role: 'user', content: prompt }] });
  console.log(`${messages.at(-1)?.text}\n`);
  await endSessionWithHooks(client, 'exit');
});

/** A model that makes the calls of the conversation, so that the example needs no key. */
function scriptedModel() {
  const model = fakeModel();
  for (const calls of steps) model.respondWithTools(calls.map(({ id, name, input }) => ({ id, name, args: { ...input } })));
  return model.respond(new AIMessage(answer));
}
