import { Agent, type FunctionTool, type Model, type ModelRequest, RunContext, Usage } from '@openai/agents';
import { createHookClient } from '@tenterhook/agent';
import { Hook, type HookEngine, HookEventType, HookResponse } from '@tenterhook/handlers';
import { hookAgent } from '@tenterhook/openai-agents';
import { createHooks, type Hooks } from 'tenterhook';
import type { Bench, Variant } from '../bench.js';
import { atMost } from './at-most.js';
import { engineWith } from './engine-with.js';

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

/** A model and a tool whose calls are measured. */
interface Called {
  readonly model: Model;
  readonly tool: FunctionTool;
}

/** Compares calls of a model and of a tool with the same calls of a hooked agent, without hooks and with one hook that is a function. */
export async function adapterOpenAiAgents(): Promise<Bench> {
  const idle = await createHooks({ sessionId: 'bench', settings: {} });
  const one = await createHooks({ sessionId: 'bench', settings: {}, handlers: [engineOfBoth()] });
  // Code that does not ask the hooks would be the fastest.
  if (idle.has('BeforeTool') || !one.has('BeforeTool') || !one.has('BeforeModel'))
    throw new Error('the hooks are not those that are measured');
  const [plain, free, hooked] = [{ model, tool }, await hookedBy(idle), await hookedBy(one)];
  return {
    name: 'OpenAI Agents SDK: a call of a model and of a tool',
    note: 'With handlers, each call is one event: pre_tool_use or generate_start, and the handler continues.',
    unit: 'µs',
    warmup: 20,
    rounds: 100,
    variants: [
      modelCall(names.model, plain, 2000),
      modelCall(names.modelIdle, free, 2000),
      modelCall(names.modelHooked, hooked, 200),
      toolCall(names.tool, plain, 2000),
      toolCall(names.toolIdle, free, 2000),
      toolCall(names.toolHooked, hooked, 200),
    ],
    marks: [
      atMost('without hooks, a model call takes at most 2 µs longer', 2, (median) => median(names.modelIdle) - median(names.model)),
      atMost('without hooks, a tool call takes at most 2 µs longer', 2, (median) => median(names.toolIdle) - median(names.tool)),
    ],
    dispose: async () => {
      await Promise.all([idle.dispose(), one.dispose()]);
    },
  };
}

const names = {
  model: 'a model call',
  modelIdle: 'a model call of a hooked agent, no hooks',
  modelHooked: 'a model call of a hooked agent, 1 handler',
  tool: 'a tool call',
  toolIdle: 'a tool call of a hooked agent, no hooks',
  toolHooked: 'a tool call of a hooked agent, 1 handler',
} as const;

async function hookedBy(hooks: Hooks): Promise<Called> {
  const agent = hookAgent(createHookClient(hooks), new Agent({ name: 'bench', model, tools: [tool] }));
  const [hooked] = await agent.getAllTools(new RunContext());
  return { model: agent.model as Model, tool: hooked as FunctionTool };
}

function modelCall(name: string, called: Called, batch: number): Variant {
  return {
    name,
    against: names.model,
    batch,
    run: async (times) => {
      for (let index = 0; index < times; index += 1) {
        if ((await called.model.getResponse(request)) !== response) throw new Error('the model did not answer');
      }
    },
  };
}

function toolCall(name: string, called: Called, batch: number): Variant {
  const context = new RunContext();
  const toolCall = { type: 'function_call' as const, callId: 'c1', name: 'read_file', arguments: '{"path":"a.txt"}' };
  return {
    name,
    against: names.tool,
    batch,
    run: async (times) => {
      for (let index = 0; index < times; index += 1) {
        if ((await called.tool.invoke(context, toolCall.arguments, { toolCall })) !== 'text') throw new Error('the tool did not answer');
      }
    },
  };
}

/** An engine with one handler before a tool and one before the model. */
function engineOfBoth(): HookEngine {
  const handle = async () => HookResponse.continue_();
  const engine = engineWith(1, handle);
  const beforeModel = Hook.new('before-model', HookEventType.GenerateStart);
  engine.register(beforeModel);
  engine.register_handler(beforeModel.id, { handle });
  return engine;
}
