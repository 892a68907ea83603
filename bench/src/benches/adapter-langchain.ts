import { createHookClient } from '@tenterhook/agent';
import { Hook, type HookEngine, HookEventType, HookResponse } from '@tenterhook/handlers';
import { hooksMiddleware } from '@tenterhook/langchain';
import { AIMessage, HumanMessage, ToolMessage } from 'langchain';
import { createHooks, type Hooks } from 'tenterhook';
import type { Bench, Variant } from '../bench.js';
import { atMost } from './at-most.js';
import { engineWith } from './engine-with.js';

const answer = new AIMessage('Done.');
const result = new ToolMessage({ content: 'text', tool_call_id: 'c1' });
const runtime = { configurable: { thread_id: 'bench' } };
const modelRequest = { model: {}, messages: [new HumanMessage('Read a.txt.')], tools: [], runtime };
const toolRequest = { toolCall: { name: 'read_file', args: { path: 'a.txt' }, id: 'c1' }, runtime };
/** A model and a tool, as `createAgent` passes them to a middleware. They answer at once, so that the time is that of the adapter. */
const callModel = async (_request: unknown) => answer;
const callTool = async (_request: unknown) => result;

type Wrap = (request: never, handler: never) => unknown;

/** Compares calls of a model and of a tool with the same calls through `hooksMiddleware`, without hooks and with one handler. */
export async function adapterLangChain(): Promise<Bench> {
  const idle = await createHooks({ sessionId: 'bench', settings: {} });
  const one = await createHooks({ sessionId: 'bench', settings: {}, handlers: [engineOfBoth()] });
  // Code that does not ask the hooks would be the fastest.
  if (idle.has('BeforeTool') || !one.has('BeforeTool') || !one.has('BeforeModel'))
    throw new Error('the hooks are not those that are measured');
  const middlewareOf = (hooks: Hooks) => hooksMiddleware(createHookClient(hooks)) as { wrapModelCall: Wrap; wrapToolCall: Wrap };
  const [free, hooked] = [middlewareOf(idle), middlewareOf(one)];
  const direct: Wrap = (request, handler) => (handler as (request: unknown) => unknown)(request);
  return {
    name: 'LangChain: a call of a model and of a tool',
    note: 'Without the graph. With handlers, each call is one event: pre_tool_use or generate_start, and the handler continues.',
    unit: 'µs',
    warmup: 20,
    rounds: 100,
    variants: [
      modelCall(names.model, direct, 2000),
      modelCall(names.modelIdle, free.wrapModelCall, 2000),
      modelCall(names.modelHooked, hooked.wrapModelCall, 200),
      toolCall(names.tool, direct, 2000),
      toolCall(names.toolIdle, free.wrapToolCall, 2000),
      toolCall(names.toolHooked, hooked.wrapToolCall, 200),
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
  modelIdle: 'a model call through hooksMiddleware, no hooks',
  modelHooked: 'a model call through hooksMiddleware, 1 handler',
  tool: 'a tool call',
  toolIdle: 'a tool call through hooksMiddleware, no hooks',
  toolHooked: 'a tool call through hooksMiddleware, 1 handler',
} as const;

function modelCall(name: string, wrap: Wrap, batch: number): Variant {
  return {
    name,
    against: names.model,
    batch,
    run: async (times) => {
      for (let index = 0; index < times; index += 1) {
        if ((await wrap(modelRequest as never, callModel as never)) !== answer) throw new Error('the model did not answer');
      }
    },
  };
}

function toolCall(name: string, wrap: Wrap, batch: number): Variant {
  return {
    name,
    against: names.tool,
    batch,
    run: async (times) => {
      for (let index = 0; index < times; index += 1) {
        if ((await wrap(toolRequest as never, callTool as never)) !== result) throw new Error('the tool did not answer');
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
