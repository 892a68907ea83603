import { Agent, type FunctionTool, type Model, type ModelRequest, RunContext, Usage } from '@openai/agents';
import { createHookClient } from '@tenterhook/agent';
import { hookAgent } from '@tenterhook/openai-agents';
import type { Bench } from '../bench.js';
import { benchAdapter, type Calls, requireAnswer } from './adapter-calls.js';

const request = { input: 'Read a.txt.', modelSettings: {}, tools: [], handoffs: [], outputType: 'text', tracing: false } as ModelRequest;
const content = [{ type: 'output_text' as const, text: 'Done.' }];
const response = {
  usage: new Usage(),
  output: [{ type: 'message' as const, role: 'assistant' as const, status: 'completed' as const, content }],
};

/** A model and a tool in the form of the SDK. They answer at once, so that the time is that of the adapter. */
const model: Model = {
  getResponse: async () => response,
  async *getStreamedResponse() {},
};
const tool: FunctionTool = {
  type: 'function',
  name: 'read_file',
  description: 'Reads a file.',
  parameters: { type: 'object', properties: {}, required: [], additionalProperties: false },
  strict: true,
  invoke: async () => 'text',
  needsApproval: async () => false,
  isEnabled: async () => true,
};

const context = new RunContext();
const toolCall = { type: 'function_call' as const, callId: 'c1', name: 'read_file', arguments: '{"path":"a.txt"}' };

export function adapterOpenAiAgents(): Promise<Bench> {
  return benchAdapter({
    framework: 'OpenAI Agents SDK',
    through: 'of a hooked agent',
    plain: callsOf(model, tool),
    async hookedBy(hooks) {
      const agent = hookAgent(createHookClient(hooks), new Agent({ name: 'bench', model, tools: [tool] }));
      const [hooked] = await agent.getAllTools(context);
      return callsOf(agent.model as Model, hooked as FunctionTool);
    },
  });
}

function callsOf(called: Model, { invoke }: FunctionTool): Calls {
  return {
    model: async () => requireAnswer(await called.getResponse(request), response),
    tool: async () => requireAnswer(await invoke(context, toolCall.arguments, { toolCall }), 'text'),
  };
}
