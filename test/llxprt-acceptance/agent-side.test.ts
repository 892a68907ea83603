import {
  callModelWithHooks,
  createHookClient,
  executeToolWithHooks,
  genAiTranslator,
  runAgentTurnWithHooks,
  type ToolInput,
} from '@tenterhook/agent';
import type { HookEventName } from '@tenterhook/protocol';
import { z } from 'zod';
import { says, settingsOf, withHooks } from '../support/fire-hooks.js';

const specific = (hookSpecificOutput: Record<string, unknown>) => says({ hookSpecificOutput });

function withClient(eventName: HookEventName, hooks: string[], use: (client: ReturnType<typeof createHookClient>) => Promise<void>) {
  return withHooks({ settings: settingsOf(eventName, hooks) }, ({ hooks: system }) => use(createHookClient(system)));
}

function recordingTool(llmContent: unknown = 'done') {
  const calls: ToolInput[] = [];
  const execute = (input: ToolInput) => {
    calls.push(input);
    return { llmContent };
  };
  return { name: 'write_file', input: { path: '/srv/app/a.txt' }, calls, execute };
}

const image = { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } };
const request = {
  model: 'gemini-3-flash',
  contents: [
    { role: 'user', parts: [{ text: 'what is this?' }, image] },
    { role: 'model', parts: [{ text: 'a cat' }] },
    { role: 'user', parts: [{ text: 'are you sure?' }] },
  ],
  config: { temperature: 0.5, tools: [{ functionDeclarations: [{ name: 'a' }, { name: 'b' }, { name: 'c' }, { name: 'd' }] }] },
};
const response = { candidates: [{ content: { role: 'model', parts: [{ text: 'yes' }] }, finishReason: 'STOP', index: 0 }] };
type Request = typeof request;
type Response = typeof response;

function recordingModel() {
  const requests: Request[] = [];
  const call = (sent: Request): Response => {
    requests.push(sent);
    return response;
  };
  return { request, translator: genAiTranslator<Request, Response>(), requests, call };
}

test('17. ask with nobody to ask: the tool does not run, and the reason says so', async () => {
  await withClient('BeforeTool', [says({ decision: 'ask', reason: 'sure?' }), says({ decision: 'allow' })], async (client) => {
    const tool = recordingTool();
    const outcome = await executeToolWithHooks(client, tool);
    expect(outcome).toMatchObject({ status: 'blocked', reason: 'Nobody could be asked to confirm it. sure?' });
    expect(outcome.result.llmContent).toBe(outcome.reason);
    expect(tool.calls).toEqual([]);
  });
});

test.each([true, false])(
  '29. an input that violates the schema: the tool does not run, the reason names the hook; asked for it: %s',
  async (asks) => {
    const hook = says({ ...(asks ? { decision: 'ask' } : {}), hookSpecificOutput: { tool_input: { path: 7 } } });
    await withClient('BeforeTool', ['true', hook], async (client) => {
      const tool = recordingTool();
      const outcome = await executeToolWithHooks(client, { ...tool, schema: z.object({ path: z.string() }), ask: () => 'allow' });
      expect(outcome).toMatchObject({ status: 'blocked', reason: expect.stringContaining('llxprt/settings/BeforeTool/0.1') });
      expect(tool.calls).toEqual([]);
    });
  },
);

test.each([
  ['alone', {}],
  ['beside a deny', { decision: 'deny', reason: 'no' }],
])('36. a response %s: the model is not called, the response is used', async (_, more) => {
  const hook = says({ ...more, hookSpecificOutput: { llm_response: { text: 'cached' } } });
  await withClient('BeforeModel', [hook], async (client) => {
    const model = recordingModel();
    const outcome = await callModelWithHooks(client, model);
    expect(outcome).toMatchObject({
      status: 'synthetic',
      response: { candidates: [{ content: { role: 'model', parts: [{ text: 'cached' }] } }] },
    });
    expect(model.requests).toEqual([]);
  });
});

test('36. a deny without a response: the model is not called, the response is empty', async () => {
  await withClient('BeforeModel', [says({ decision: 'deny', reason: 'no' })], async (client) => {
    const model = recordingModel();
    const outcome = await callModelWithHooks(client, model);
    expect(outcome).toMatchObject({ status: 'blocked', reason: 'no' });
    expect((outcome.response?.candidates ?? []).flatMap(({ content }) => content.parts)).toEqual([]);
    expect(model.requests).toEqual([]);
  });
});

test('37. contents with text parts: taken over, and the image of an untouched message is still there', async () => {
  const contents = [
    { role: 'user', parts: [{ text: 'what is this?' }] },
    { role: 'model', parts: [{ text: 'a cat' }] },
    { role: 'user', parts: [{ text: 'are you ' }, { text: 'quite sure?' }] },
  ];
  await withClient('BeforeModel', [specific({ llm_request: { contents } })], async (client) => {
    const model = recordingModel();
    expect((await callModelWithHooks(client, model)).status).toBe('responded');
    const [first, second] = request.contents;
    expect(model.requests).toEqual([{ ...request, contents: [first, second, { role: 'user', parts: [{ text: 'are you quite sure?' }] }] }]);
  });
  expect(request.contents[2]).toEqual({ role: 'user', parts: [{ text: 'are you sure?' }] });
});

test.each<[string, Record<string, unknown>[], string[]]>([
  ['the union of what hooks allow', [{ allowedFunctionNames: ['a', 'b'] }, { allowedFunctionNames: ['c'] }], ['a', 'b', 'c']],
  ['no tool after one NONE', [{ mode: 'NONE' }, { mode: 'ANY', allowedFunctionNames: ['a'] }], []],
])('38. the model is shown %s, and a later call of another tool is refused', async (_, configs, names) => {
  const hooks = configs.map((toolConfig) => specific({ toolConfig }));
  await withClient('BeforeToolSelection', hooks, async (client) => {
    const model = recordingModel();
    const { toolSelection } = await callModelWithHooks(client, model);
    const declarations = (model.requests[0]?.config.tools ?? []).flatMap((tool) => tool.functionDeclarations);
    expect(declarations.map(({ name }) => name)).toEqual(names);
    expect(toolSelection?.allowedFunctionNames).toEqual(names);
    for (const name of ['a', 'b', 'c', 'd']) {
      const tool = recordingTool();
      const outcome = await executeToolWithHooks(client, { ...tool, name, ...(toolSelection && { toolSelection }) });
      expect(outcome.status).toBe(names.includes(name) ? 'executed' : 'blocked');
      expect(tool.calls).toHaveLength(names.includes(name) ? 1 : 0);
    }
  });
});

test('39. an AfterTool block: the result is kept, the reason is appended for the model', async () => {
  await withClient('AfterTool', [says({ decision: 'block', reason: 'r' })], async (client) => {
    const tool = recordingTool();
    const outcome = await executeToolWithHooks(client, tool);
    expect(outcome).toMatchObject({ status: 'executed', reason: 'r', after: { verdict: { kind: 'deny' } } });
    expect(outcome.result).toEqual({ llmContent: 'done\n\nr', returnDisplay: 'done' });
    expect(tool.calls).toHaveLength(1);
  });
});

test('39. nine AfterAgent denies in a row: the ninth is not obeyed', async () => {
  await withClient('AfterAgent', [says({ decision: 'deny', reason: 'go on' })], async (client) => {
    const prompts: string[] = [];
    const respond = (prompt: string) => {
      prompts.push(prompt);
      return 'answer';
    };
    const outcome = await runAgentTurnWithHooks(client, { prompt: 'p', respond });
    expect(outcome).toMatchObject({ status: 'completed', turns: 9 });
    expect(prompts).toEqual(['p', ...Array(8).fill('go on')]);
  });
});
