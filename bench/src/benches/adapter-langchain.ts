import { createHookClient } from '@tenterhook/agent';
import { hooksMiddleware } from '@tenterhook/langchain';
import { AIMessage, HumanMessage, ToolMessage } from 'langchain';
import type { Bench } from '../bench.js';
import { benchAdapter, type Calls, requireAnswer } from './adapter-calls.js';

const answer = new AIMessage('Done.');
const result = new ToolMessage({ content: 'text', tool_call_id: 'c1' });
const runtime = { configurable: { thread_id: 'bench' } };
const modelRequest = { model: {}, messages: [new HumanMessage('Read a.txt.')], tools: [], runtime };
const toolRequest = { toolCall: { name: 'read_file', args: { path: 'a.txt' }, id: 'c1' }, runtime };
/** A model and a tool, as `createAgent` passes them to a middleware. They answer at once, so that the time is that of the adapter. */
const callModel = async (_request: unknown) => answer;
const callTool = async (_request: unknown) => result;

type Wrap = (request: never, handler: never) => unknown;

export function adapterLangChain(): Promise<Bench> {
  const direct: Wrap = (request, handler) => (handler as (request: unknown) => unknown)(request);
  return benchAdapter({
    framework: 'LangChain',
    through: 'through hooksMiddleware',
    note: 'Without the graph.',
    plain: callsOf({ wrapModelCall: direct, wrapToolCall: direct }),
    hookedBy: (hooks) => callsOf(hooksMiddleware(createHookClient(hooks)) as unknown as Middleware),
  });
}

interface Middleware {
  readonly wrapModelCall: Wrap;
  readonly wrapToolCall: Wrap;
}

function callsOf({ wrapModelCall, wrapToolCall }: Middleware): Calls {
  return {
    model: async () => requireAnswer(await wrapModelCall(modelRequest as never, callModel as never), answer),
    tool: async () => requireAnswer(await wrapToolCall(toolRequest as never, callTool as never), result),
  };
}
