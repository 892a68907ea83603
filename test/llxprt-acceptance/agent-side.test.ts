import { callModelWithHooks, executeToolWithHooks, genAiTranslator, runAgentTurnWithHooks } from '@tenterhook/agent';
import { z } from 'zod';
import { recordingModel, recordingTool, withCommands } from '../support/agent.js';
import { says } from '../support/fire-hooks.js';

const specific = (hookSpecificOutput: Record<string, unknown>) => says({ hookSpecificOutput });

const writeCall = { name: 'write_file', input: { path: '/srv/app/a.txt' } };
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

const answeringModel = () => recordingModel<Request, Response>(response);
const modelCall = { request, translator: genAiTranslator<Request, Response>() };

test('17. ask with nobody to ask: the tool does not run, and the reason says so', async () => {
  await withCommands({ BeforeTool: [says({ decision: 'ask', reason: 'sure?' }), says({ decision: 'allow' })] }, async ({ client }) => {
    const tool = recordingTool();
    const outcome = await executeToolWithHooks(client, { ...writeCall, ...tool });
    expect(outcome).toMatchObject({ status: 'blocked', reason: 'Nobody could be asked to confirm it. sure?' });
    expect(outcome.result.llmContent).toBe(outcome.reason);
    expect(tool.calls).toEqual([]);
  });
});

test.each([true, false])(
  '29. an input that violates the schema: the tool does not run, the reason names the hook; asked for it: %s',
  async (asks) => {
    const hook = says({ ...(asks ? { decision: 'ask' } : {}), hookSpecificOutput: { tool_input: { path: 7 } } });
    await withCommands({ BeforeTool: ['true', hook] }, async ({ client }) => {
      const tool = recordingTool();
      const outcome = await executeToolWithHooks(client, {
        ...writeCall,
        ...tool,
        schema: z.object({ path: z.string() }),
        ask: () => 'allow',
      });
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
  await withCommands({ BeforeModel: [hook] }, async ({ client }) => {
    const model = answeringModel();
    const outcome = await callModelWithHooks(client, { ...modelCall, ...model });
    expect(outcome).toMatchObject({
      status: 'synthetic',
      response: { candidates: [{ content: { role: 'model', parts: [{ text: 'cached' }] } }] },
    });
    expect(model.requests).toEqual([]);
  });
});

test('36. a deny without a response: the model is not called, the response is empty', async () => {
  await withCommands({ BeforeModel: [says({ decision: 'deny', reason: 'no' })] }, async ({ client }) => {
    const model = answeringModel();
    const outcome = await callModelWithHooks(client, { ...modelCall, ...model });
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
  await withCommands({ BeforeModel: [specific({ llm_request: { contents } })] }, async ({ client }) => {
    const model = answeringModel();
    expect((await callModelWithHooks(client, { ...modelCall, ...model })).status).toBe('responded');
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
  await withCommands({ BeforeToolSelection: hooks }, async ({ client }) => {
    const model = answeringModel();
    const { toolSelection } = await callModelWithHooks(client, { ...modelCall, ...model });
    const declarations = (model.requests[0]?.config.tools ?? []).flatMap((tool) => tool.functionDeclarations);
    expect(declarations.map(({ name }) => name)).toEqual(names);
    expect(toolSelection?.allowedFunctionNames).toEqual(names);
    for (const name of ['a', 'b', 'c', 'd']) {
      const tool = recordingTool();
      const outcome = await executeToolWithHooks(client, { ...writeCall, ...tool, name, ...(toolSelection && { toolSelection }) });
      expect(outcome.status).toBe(names.includes(name) ? 'executed' : 'blocked');
      expect(tool.calls).toHaveLength(names.includes(name) ? 1 : 0);
    }
  });
});

test('39. an AfterTool block: the result is kept, the reason is appended for the model', async () => {
  await withCommands({ AfterTool: [says({ decision: 'block', reason: 'r' })] }, async ({ client }) => {
    const tool = recordingTool();
    const outcome = await executeToolWithHooks(client, { ...writeCall, ...tool });
    expect(outcome).toMatchObject({ status: 'executed', reason: 'r', after: { verdict: { kind: 'deny' } } });
    expect(outcome.result).toEqual({ llmContent: 'done\n\nr', returnDisplay: 'done' });
    expect(tool.calls).toHaveLength(1);
  });
});

test('39. nine AfterAgent denies in a row: the ninth is not obeyed', async () => {
  await withCommands({ AfterAgent: [says({ decision: 'deny', reason: 'go on' })] }, async ({ client }) => {
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
