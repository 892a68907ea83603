import { callModelWithHooks, executeToolWithHooks, genAiTranslator, runAgentTurnWithHooks } from '@tenterhook/agent';
import type { BeforeModelHookOutput } from '@tenterhook/protocol';
import { z } from 'zod';
import { recordingModel, recordingTool, withCommands } from '../../support/agent.js';
import { fireEvent, outcomeAt, says, settingsOf, warningCodes, withEndingHooks } from '../../support/fire-hooks.js';

describe('calls of the agent', () => {
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

  test('17. ask with no user to ask: the tool does not run, and the reason is given', async () => {
    await withCommands({ BeforeTool: [says({ decision: 'ask', reason: 'sure?' }), says({ decision: 'allow' })] }, async ({ client }) => {
      const tool = recordingTool();
      const outcome = await executeToolWithHooks(client, { ...writeCall, ...tool });
      expect(outcome).toMatchObject({ status: 'blocked', reason: 'It needs confirmation, but no user could be asked. sure?' });
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
      expect(model.requests).toEqual([
        { ...request, contents: [first, second, { role: 'user', parts: [{ text: 'are you quite sure?' }] }] },
      ]);
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
});

describe('model events', () => {
  const specific = (hookSpecificOutput: Record<string, unknown>) => says({ hookSpecificOutput });
  const request = { model: 'm-1', messages: [{ role: 'user', content: 'hello' }], config: { maxOutputTokens: 800 } };
  const fireModel = (hooks: string[]) => fireEvent('BeforeModel', { llm_request: request }, hooks);

  test('35. config is merged key by key, and of one key the last hook in plan order counts', async () => {
    const config = (values: Record<string, unknown>) => specific({ llm_request: { config: values } });
    const result = await fireModel([config({ temperature: 0 }), config({ temperature: 1 }), config({ topP: 0.5 })]);
    expect(result.finalOutput?.hookSpecificOutput?.['llm_request']).toEqual({
      ...request,
      config: { maxOutputTokens: 800, temperature: 1, topP: 0.5 },
    });
    expect(result.outcomes.map(warningCodes)).toEqual([[], ['rewrite_conflict'], [], []]);
  });

  test('36. an llm_response alone is a response in place of the call, and no deny', async () => {
    const result = await fireModel([specific({ llm_response: { text: 'cached' } })]);
    expect((result.finalOutput as BeforeModelHookOutput).getSyntheticResponse()).toEqual({ text: 'cached' });
    expect(result.verdict.kind).toBe('none');
  });

  test('36. a deny without an llm_response has none', async () => {
    const result = await fireModel([says({ decision: 'deny', reason: 'no' })]);
    expect((result.finalOutput as BeforeModelHookOutput).getSyntheticResponse()).toBeUndefined();
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
  });

  test('37. contents with text parts are read as messages, and the rest of the request stays', async () => {
    const contents = [{ role: 'user', parts: [{ text: 'hello ' }, { text: 'there' }] }];
    const result = await fireModel([specific({ llm_request: { contents } })]);
    expect(outcomeAt(result, 0).warnings).toEqual([]);
    expect(result.finalOutput?.hookSpecificOutput?.['llm_request']).toEqual({
      ...request,
      messages: [{ role: 'user', content: 'hello there' }],
    });
  });

  test('38. BeforeToolSelection unites the names of all hooks', async () => {
    const names = (...allowedFunctionNames: string[]) => specific({ toolConfig: { allowedFunctionNames } });
    const result = await fireEvent('BeforeToolSelection', { llm_request: request }, [names('b', 'a'), names('c')]);
    expect(result.finalOutput?.hookSpecificOutput?.['toolConfig']).toMatchObject({ allowedFunctionNames: ['a', 'b', 'c'] });
  });

  test('38. BeforeToolSelection: one NONE wins and empties the list', async () => {
    const hooks = [specific({ toolConfig: { mode: 'NONE' } }), specific({ toolConfig: { mode: 'ANY', allowedFunctionNames: ['a'] } })];
    const result = await fireEvent('BeforeToolSelection', { llm_request: request }, hooks);
    expect(result.finalOutput?.hookSpecificOutput?.['toolConfig']).toEqual({ mode: 'NONE', allowedFunctionNames: [] });
  });

  test('39. an AfterTool block is a deny with its reason, and leaves the result of the tool as it is', async () => {
    const input = { tool_name: 'write_file', tool_input: {}, tool_response: { llmContent: 'done' } };
    const result = await fireEvent('AfterTool', input, [says({ decision: 'block', reason: 'r' })]);
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'r' });
    expect(result.changes).toEqual([]);
    expect(result.finalOutput?.hookSpecificOutput).toBeUndefined();
  });

  test('39. an AfterAgent deny is a deny, and hooks learn that one is active', async () => {
    const hook = `grep -q '"stop_hook_active":true' || ${says({ decision: 'deny', reason: 'go on' })}`;
    await withEndingHooks({ settings: settingsOf('AfterAgent', [hook]) }, async ({ handler }) => {
      expect((await handler.fireAfterAgentEvent('p', 'r')).verdict).toMatchObject({ kind: 'deny', reason: 'go on' });
      expect((await handler.fireAfterAgentEvent('p', 'r', true)).verdict.kind).toBe('none');
    });
  });
});
