import { createHookClient, executeToolWithHooks } from '@tenterhook/agent';
import { withHooks } from '@tenterhook/ai-sdk';
import type { Hooks } from 'tenterhook';
import type { Bench, Variant } from '../bench.js';
import { benchAdapter, type Calls, plainName, requireAnswer } from './adapter-calls.js';

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

const input = { path: 'a.txt' };
const options = { toolCallId: 'c1', messages: [] };

export function adapterAiSdk(): Promise<Bench> {
  return benchAdapter({
    framework: 'AI SDK',
    through: 'through withHooks',
    plain: callsOf(settings),
    hookedBy: (hooks) => callsOf(withHooks(createHookClient(hooks), settings)),
    others: (hooks) => [callByHand(hooks)],
  });
}

function callsOf({ model: called, tools }: typeof settings): Calls {
  return {
    model: async () => requireAnswer(await called.doGenerate(params), response),
    tool: async () => requireAnswer(await tools.read_file.execute(input, options), 'text'),
  };
}

/** The same tool call without an adapter, in a loop that calls the functions of `@tenterhook/agent` itself. */
function callByHand(hooks: Hooks): Variant {
  const client = createHookClient(hooks);
  const call = { name: 'read_file', input, toolUseId: 'c1', execute: () => ({ llmContent: 'text' }) };
  return {
    name: 'a tool call through executeToolWithHooks, 1 handler',
    against: plainName('tool'),
    batch: 200,
    run: async (times) => {
      for (let index = 0; index < times; index += 1) requireAnswer((await executeToolWithHooks(client, call)).result.llmContent, 'text');
    },
  };
}
