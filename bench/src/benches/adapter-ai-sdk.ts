import { createHookClient, executeToolWithHooks } from '@tenterhook/agent';
import { withHooks } from '@tenterhook/ai-sdk';
import { Hook, type HookEngine, HookEventType, HookResponse } from '@tenterhook/handlers';
import { createHooks, type Hooks } from 'tenterhook';
import type { Bench, Variant } from '../bench.js';
import { atMost } from './at-most.js';
import { engineWith } from './engine-with.js';

const params = { prompt: [{ role: 'user', content: [{ type: 'text', text: 'Read a.txt.' }] }] };
const response = {
  content: [{ type: 'text', text: 'Done.' }],
  finishReason: { unified: 'stop', raw: undefined },
  usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
  warnings: [],
};
/** A model and a tool in the form of AI SDK 7. They answer at once, so that the time is that of the adapter. */
const model = {
  specificationVersion: 'v4',
  provider: 'bench',
  modelId: 'bench',
  supportedUrls: {},
  doGenerate: async (_params: object) => response,
  doStream: async (_params: object) => ({ stream: new ReadableStream() }),
};
const execute = async (_input: object, _options: object) => 'text';
const settings = { model, tools: { read_file: { inputSchema: {}, execute } } };

/** Compares calls of a model and of a tool with the same calls through `withHooks`, without hooks and with one hook that is a function. */
export async function adapterAiSdk(): Promise<Bench> {
  const idle = await createHooks({ sessionId: 'bench', settings: {} });
  const one = await createHooks({ sessionId: 'bench', settings: {}, handlers: [engineOfBoth()] });
  const hookedBy = (hooks: Hooks) => withHooks(createHookClient(hooks), settings);
  // Code that does not ask the hooks would be the fastest.
  if (idle.has('BeforeTool') || !one.has('BeforeTool') || !one.has('BeforeModel'))
    throw new Error('the hooks are not those that are measured');
  const [free, hooked] = [hookedBy(idle), hookedBy(one)];
  return {
    name: 'AI SDK: a call of a model and of a tool',
    note: 'With handlers, each call is one event: pre_tool_use or generate_start, and the handler continues.',
    unit: 'µs',
    warmup: 20,
    rounds: 100,
    variants: [
      modelCall(names.model, settings, names.model, 2000),
      modelCall(names.modelIdle, free, names.model, 2000),
      modelCall(names.modelHooked, hooked, names.model, 200),
      toolCall(names.tool, settings, names.tool, 2000),
      toolCall(names.toolIdle, free, names.tool, 2000),
      toolCall(names.toolHooked, hooked, names.tool, 200),
      agentCall(one),
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
  modelIdle: 'a model call through withHooks, no hooks',
  modelHooked: 'a model call through withHooks, 1 handler',
  tool: 'a tool call',
  toolIdle: 'a tool call through withHooks, no hooks',
  toolHooked: 'a tool call through withHooks, 1 handler',
  toolByHand: 'a tool call through executeToolWithHooks, 1 handler',
} as const;

function modelCall(name: string, { model: called }: typeof settings, against: string, batch: number): Variant {
  return {
    name,
    against,
    batch,
    run: async (times) => {
      for (let index = 0; index < times; index += 1) {
        if ((await called.doGenerate(params)) !== response) throw new Error('the model did not answer');
      }
    },
  };
}

function toolCall(name: string, { tools }: typeof settings, against: string, batch: number): Variant {
  const input = { path: 'a.txt' };
  const options = { toolCallId: 'c1', messages: [] };
  return {
    name,
    against,
    batch,
    run: async (times) => {
      for (let index = 0; index < times; index += 1) {
        if ((await tools.read_file.execute(input, options)) !== 'text') throw new Error('the tool did not answer');
      }
    },
  };
}

/** The same tool call without an adapter, in a loop that calls the functions of `@tenterhook/agent` itself. */
function agentCall(hooks: Hooks): Variant {
  const client = createHookClient(hooks);
  const call = { name: 'read_file', input: { path: 'a.txt' }, toolUseId: 'c1', execute: () => ({ llmContent: 'text' }) };
  return {
    name: names.toolByHand,
    against: names.tool,
    batch: 200,
    run: async (times) => {
      for (let index = 0; index < times; index += 1) {
        if ((await executeToolWithHooks(client, call)).result.llmContent !== 'text') throw new Error('the tool did not answer');
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
