import { Agent, setTracingDisabled, tool } from '@openai/agents';
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents/testing';
import { runWithHooks } from '@tenterhook/openai-agents';
import { createHookClient, endSessionWithHooks, startSessionWithHooks } from 'tenterhook/agent';
import { answer, prompt, steps } from './conversation.js';
import { inWorkspace } from './in-workspace.js';
import { stationTools } from './station-tools.js';

// The SDK sends traces to its service, for which the example has no key.
setTracingDisabled(true);

/** Runs the conversation with an agent of the OpenAI Agents SDK. */
await inWorkspace(async (hooks, workspace) => {
  const client = createHookClient(hooks);
  const { systemMessages } = await startSessionWithHooks(client, 'startup');
  const tools = Object.entries(stationTools(workspace)).map(([name, { description, fields, run }]) => {
    const properties = Object.fromEntries(fields.map((field) => [field, { type: 'string' as const }]));
    const parameters = { type: 'object' as const, properties, required: [...fields], additionalProperties: false as const };
    return tool({ name, description, parameters, execute: (input) => run(input as Record<string, string>) });
  });
  const agent = new Agent({ name: 'Station', model: scriptedModel(), tools, instructions: systemMessages.join('\n') });

  // This line adds the hooks: to the tools and the model of the agent, and to the turn.
  const { finalOutput } = await runWithHooks(client, agent, prompt);
  console.log(`${finalOutput}\n`);
  await endSessionWithHooks(client, 'exit');
});

/** A model that makes the calls of the conversation, so that the example needs no key. */
function scriptedModel(): ScriptedModel {
  const calls = steps.map((step) => step.map(({ id, name, input }) => functionCall(name, { ...input }, { callId: id })));
  return new ScriptedModel([...calls, [assistantMessage(answer)]]);
}
