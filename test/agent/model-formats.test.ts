import {
  anthropicTranslator,
  callModelWithHooks,
  genAiTranslator,
  type LlmTranslator,
  openAiChatTranslator,
  openAiResponsesTranslator,
} from '@tenterhook/agent';
import { withCommands } from '../support/agent.js';
import { says } from '../support/fire-hooks.js';
import { deny } from '../support/function-hooks.js';

/** One conversation with one answer in the format of an SDK, and how to read it. The answer contains "hi" and calls `run_shell`. */
interface Format<Request, Response> {
  readonly translator: LlmTranslator<Request, Response>;
  readonly request: Request;
  readonly response: Response;
  textOf(response: Response): string;
  callsOf(response: Response): string[];
  toolsOf(request: Request): string[];
}

const names = ['read_file', 'run_shell'];

const genAiRequest = {
  model: 'm-1',
  contents: [{ role: 'user', parts: [{ text: 'hello' }, { inlineData: { data: '' } }] }],
  config: { temperature: 0.5, topP: 0.9, tools: [{ functionDeclarations: names.map((name) => ({ name })) }] },
};
interface GenAiPart {
  readonly text?: string;
  readonly functionCall?: { readonly name: string };
}
const genAiResponse = {
  candidates: [{ content: { role: 'model', parts: [{ text: 'hi' }, { functionCall: { name: 'run_shell' } }] as GenAiPart[] } }],
};
const partsOf = (response: typeof genAiResponse) => response.candidates.flatMap(({ content }) => content.parts ?? []);
const genAi: Format<typeof genAiRequest, typeof genAiResponse> = {
  translator: genAiTranslator(),
  request: genAiRequest,
  response: genAiResponse,
  textOf: (response) =>
    partsOf(response)
      .flatMap(({ text }) => text ?? [])
      .join(''),
  callsOf: (response) => partsOf(response).flatMap(({ functionCall }) => functionCall?.name ?? []),
  toolsOf: ({ config }) => (config.tools ?? []).flatMap(({ functionDeclarations }) => functionDeclarations.map(({ name }) => name)),
};

const openAiRequest = {
  model: 'm-1',
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'hello' },
        { type: 'image_url', image_url: { url: '' } },
      ],
    },
  ],
  temperature: 0.5,
  top_p: 0.9,
  tools: names.map((name) => ({ type: 'function', function: { name } })),
};
const openAiResponse = {
  choices: [
    {
      index: 0,
      finish_reason: 'tool_calls',
      message: {
        role: 'assistant',
        content: 'hi' as string | null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'run_shell', arguments: '{}' } }],
      },
    },
  ],
};
const openAi: Format<typeof openAiRequest, typeof openAiResponse> = {
  translator: openAiChatTranslator(),
  request: openAiRequest,
  response: openAiResponse,
  textOf: ({ choices }) => choices.map(({ message }) => message.content ?? '').join(''),
  callsOf: ({ choices }) => choices.flatMap(({ message }) => (message.tool_calls ?? []).map((call) => call.function.name)),
  toolsOf: ({ tools }) => (tools ?? []).map((tool) => tool.function.name),
};

const responsesRequest = {
  model: 'm-1',
  input: [
    {
      role: 'user',
      content: [
        { type: 'input_text', text: 'hello' },
        { type: 'input_image', image_url: '' },
      ],
    },
  ],
  temperature: 0.5,
  top_p: 0.9,
  tools: names.map((name) => ({ type: 'function', name })),
};
interface OutputItem {
  readonly type: string;
  readonly name?: string;
  readonly content?: readonly { readonly text?: string }[];
  readonly [field: string]: unknown;
}
const responsesResponse = {
  status: 'completed',
  output: [
    { type: 'reasoning', id: 'rs1', summary: [] },
    { type: 'message', id: 'm1', role: 'assistant', content: [{ type: 'output_text', text: 'hi', annotations: [] }] },
    { type: 'function_call', call_id: 'c1', name: 'run_shell', arguments: '{}' },
  ] as OutputItem[],
};
const responses: Format<typeof responsesRequest, typeof responsesResponse> = {
  translator: openAiResponsesTranslator(),
  request: responsesRequest,
  response: responsesResponse,
  textOf: ({ output }) => output.flatMap(({ content = [] }) => content.flatMap(({ text }) => text ?? [])).join(''),
  callsOf: ({ output }) => output.flatMap(({ type, name }) => (type === 'function_call' ? (name ?? []) : [])),
  toolsOf: ({ tools }) => (tools ?? []).map(({ name }) => name),
};

const anthropicRequest = {
  model: 'm-1',
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'hello' },
        { type: 'image', source: {} },
      ],
    },
  ],
  temperature: 0.5,
  top_p: 0.9,
  tools: names.map((name) => ({ name, input_schema: { type: 'object' } })),
};
interface AnthropicBlock {
  readonly type: string;
  readonly text?: string;
  readonly name?: string;
}
const anthropicResponse = {
  stop_reason: 'tool_use',
  content: [
    { type: 'text', text: 'hi' },
    { type: 'tool_use', id: 'c1', name: 'run_shell', input: {} },
  ] as AnthropicBlock[],
};
const anthropic: Format<typeof anthropicRequest, typeof anthropicResponse> = {
  translator: anthropicTranslator(),
  request: anthropicRequest,
  response: anthropicResponse,
  textOf: ({ content }) => content.flatMap(({ text }) => text ?? []).join(''),
  callsOf: ({ content }) => content.flatMap(({ type, name }) => (type === 'tool_use' ? (name ?? []) : [])),
  toolsOf: ({ tools }) => (tools ?? []).map(({ name }) => name),
};

/** Tests what hooks may do to one model call in each format. `Request` and `Response` differ; the results must be the same. */
function behavesIn<Request, Response>(
  name: string,
  { translator, request, response, textOf, callsOf, toolsOf }: Format<Request, Response>,
) {
  function callWith(hooks: Parameters<typeof withCommands>[0]) {
    const requests: Request[] = [];
    const call = (sent: Request): Response => {
      requests.push(sent);
      return response;
    };
    return withCommands(hooks, async ({ client }) => ({
      outcome: await callModelWithHooks(client, { request, translator, call }),
      requests,
    }));
  }
  const asTold = (outcome: { readonly response?: Response }) => {
    if (outcome.response === undefined) throw new Error('there is no response');
    return { text: textOf(outcome.response), calls: callsOf(outcome.response) };
  };
  const llmResponse = (llm_response: object) => says({ hookSpecificOutput: { llm_response } });

  describe(name, () => {
    test('hooks that change nothing leave the very objects', async () => {
      const { outcome, requests } = await callWith({ BeforeToolSelection: ['true'], BeforeModel: ['true'], AfterModel: ['true'] });
      expect(requests[0]).toBe(request);
      expect(outcome.response).toBe(response);
    });

    test('one value of the config differs, and nothing else', async () => {
      const { requests } = await callWith({ BeforeModel: [says({ hookSpecificOutput: { llm_request: { config: { temperature: 0 } } } })] });
      expect(JSON.stringify(requests[0])).toBe(JSON.stringify(request).replace('"temperature":0.5', '"temperature":0'));
    });

    test('one text differs, and what is beside it stays', async () => {
      const messages = [{ role: 'user', content: 'hello, briefly' }];
      const { requests } = await callWith({ BeforeModel: [says({ hookSpecificOutput: { llm_request: { messages } } })] });
      expect(JSON.stringify(requests[0])).toBe(JSON.stringify(request).replace('"hello"', '"hello, briefly"'));
    });

    test.each([
      ['a list', { allowedFunctionNames: ['read_file'] }, ['read_file']],
      ['a mode and a list', { mode: 'ANY', allowedFunctionNames: ['read_file', 'unknown'] }, ['read_file']],
      ['NONE', { mode: 'NONE' }, []],
      ['an empty list', { allowedFunctionNames: [] }, []],
    ])('%s leaves the model these tools, also where BeforeModel would have more', async (_, toolConfig, tools) => {
      const wider = { mode: 'AUTO', allowedFunctionNames: names };
      for (const more of [{}, { BeforeModel: [says({ hookSpecificOutput: { llm_request: { toolConfig: wider } } })] }]) {
        const { requests, outcome } = await callWith({ BeforeToolSelection: [says({ hookSpecificOutput: { toolConfig } })], ...more });
        expect(toolsOf(requests[0] as Request)).toEqual(tools);
        expect((outcome.toolSelection?.allowedFunctionNames ?? []).filter((each) => names.includes(each))).toEqual(tools);
      }
    });

    test('what BeforeModel selects holds without a selection before it', async () => {
      const toolConfig = { allowedFunctionNames: ['run_shell'] };
      const { requests } = await callWith({ BeforeModel: [says({ hookSpecificOutput: { llm_request: { toolConfig } } })] });
      expect(toolsOf(requests[0] as Request)).toEqual(['run_shell']);
    });

    test('a deny: an empty response of the SDK’s form', async () => {
      const { outcome, requests } = await callWith({ BeforeModel: [says(deny('no'))] });
      expect(outcome.status).toBe('blocked');
      expect(asTold(outcome)).toEqual({ text: '', calls: [] });
      expect(requests).toEqual([]);
    });

    test.each([
      ['a text', { text: 'cached' }],
      ['candidates', { candidates: [{ content: { role: 'model', parts: [{ text: 'cached' }] } }] }],
    ])('a response of a hook, %s: a response of the SDK’s form', async (_, answer) => {
      const { outcome } = await callWith({ BeforeModel: [llmResponse(answer)] });
      expect(outcome.status).toBe('synthetic');
      expect(asTold(outcome)).toEqual({ text: 'cached', calls: [] });
    });

    test('AfterModel: a text keeps the call, candidates take it away, a deny and a failure change nothing', async () => {
      const text = llmResponse({ text: 'redacted' });
      const candidates = llmResponse({ candidates: [{ content: { role: 'model', parts: ['no'] } }] });
      for (const [hooks, text_, calls] of [
        [[text], 'redacted', ['run_shell']],
        [[candidates], 'no', []],
        [[candidates, text], 'redacted', []],
        [[says(deny('no'))], 'hi', ['run_shell']],
        [[`${candidates}; exit 1`], 'hi', ['run_shell']],
      ] as const) {
        const { outcome } = await callWith({ AfterModel: hooks });
        expect(outcome.status).toBe('responded');
        expect(asTold(outcome)).toEqual({ text: text_, calls });
      }
    });

    test('AfterModel: a stop leaves its reason, and no call', async () => {
      const { outcome } = await callWith({ AfterModel: [says({ continue: false, stopReason: 'enough' })] });
      expect(outcome).toMatchObject({ status: 'stopped', stopReason: 'enough' });
      expect(asTold(outcome)).toEqual({ text: 'enough', calls: [] });
    });
  });
}

behavesIn('GenAI', genAi);
behavesIn('OpenAI chat', openAi);
behavesIn('OpenAI Responses', responses);
behavesIn('Anthropic', anthropic);
