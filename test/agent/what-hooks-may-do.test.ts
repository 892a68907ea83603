import { eventCatalogue } from '@tenterhook/protocol';
import { says } from '../support/fire-hooks.js';
import { callModel, callTool, type HookAnswers, modelResponse, plainRequest, toolInput, toolResult } from './agent-calls.js';

describe('what hooks do', () => {
  const stop = { continue: false, stopReason: 'budget spent' };

  describe('BeforeTool', () => {
    test.each<[string, object | string]>([
      ['exit 2', 'echo not here >&2; exit 2'],
      ['"block"', { decision: 'block', reason: 'not here' }],
      ['"deny"', { decision: 'deny', reason: 'not here' }],
    ])('%s: the tool does not run, and the model reads the reason as its result', async (_way, BeforeTool) => {
      const { outcome, ranWith } = await callTool({ BeforeTool });
      expect(ranWith).toEqual([]);
      expect(outcome).toMatchObject({
        status: 'blocked',
        reason: 'not here',
        result: { llmContent: 'not here', error: expect.anything() },
      });
    });

    test.each<[string, object | string]>([
      ['"allow"', { decision: 'allow' }],
      ['"approve"', { decision: 'approve' }],
      ['no decision', {}],
      ['no output', 'true'],
    ])('exit 0 with %s: the tool runs with its input', async (_way, BeforeTool) => {
      const { outcome, ranWith } = await callTool({ BeforeTool });
      expect(ranWith).toEqual([toolInput]);
      expect(outcome).toMatchObject({ status: 'executed', result: toolResult });
    });

    test('the tool runs with what a hook made of its input', async () => {
      const { ranWith } = await callTool({ BeforeTool: { hookSpecificOutput: { tool_input: { path: '/safe/a.txt' } } } });
      expect(ranWith).toEqual([{ ...toolInput, path: '/safe/a.txt' }]);
    });

    test('stop the agent: the loop ends, and the user learns why', async () => {
      const { outcome, ranWith } = await callTool({ BeforeTool: stop });
      expect(outcome).toMatchObject({ status: 'stopped', stopReason: 'budget spent' });
      expect(ranWith).toEqual([]);
    });
  });

  describe('AfterTool', () => {
    test('inject context: the context follows what the model reads, and not in what the user sees', async () => {
      const { outcome } = await callTool({ AfterTool: { hookSpecificOutput: { additionalContext: 'lint: 3 warnings' } } });
      expect(outcome.result).toEqual({ ...toolResult, llmContent: 'written\n\n<hook_context>\nlint: 3 warnings\n</hook_context>' });
    });

    test('stop the agent: the loop ends, and the user learns why', async () => {
      const { outcome, ranWith } = await callTool({ AfterTool: stop });
      expect(outcome).toMatchObject({ status: 'stopped', stopReason: 'budget spent', result: toolResult });
      expect(ranWith).toHaveLength(1);
    });

    test('suppress output: the result is hidden from the user, and not from the model', async () => {
      const { outcome } = await callTool({ AfterTool: { suppressOutput: true } });
      expect(outcome).toMatchObject({ suppressOutput: true, result: { llmContent: 'written' } });
      expect((await callTool({ AfterTool: {} })).outcome.suppressOutput).toBe(false);
    });

    test('the message goes into the conversation', async () => {
      const { outcome } = await callTool({ AfterTool: { systemMessage: 'use tabs' } });
      expect(outcome).toMatchObject({ status: 'executed', systemMessages: ['use tabs'], result: toolResult });
    });
  });

  describe('BeforeModel', () => {
    test.each(['block', 'deny'])('"%s" with a response: it is used, and the model is not called', async (decision) => {
      const BeforeModel = { decision, reason: 'cached', hookSpecificOutput: { llm_response: { text: 'from the cache' } } };
      const { outcome, calledWith } = await callModel({ BeforeModel });
      expect(calledWith).toEqual([]);
      expect(outcome).toMatchObject({ status: 'synthetic', response: { text: 'from the cache' } });
    });

    test.each(['block', 'deny'])('"%s" without one: an empty response, and the model is not called', async (decision) => {
      const { outcome, calledWith } = await callModel({ BeforeModel: { decision, reason: 'no' } });
      expect(calledWith).toEqual([]);
      expect(outcome).toMatchObject({ status: 'blocked', reason: 'no' });
      expect(outcome.response).toEqual({});
    });

    test('the model gets the request as a hook changed it', async () => {
      const llm_request = { messages: [{ role: 'user', content: 'bonjour' }], config: { temperature: 0, maxOutputTokens: 5 } };
      const { outcome, calledWith } = await callModel({ BeforeModel: { hookSpecificOutput: { llm_request } } });
      expect(calledWith).toEqual([{ ...plainRequest, ...llm_request }]);
      expect(outcome).toMatchObject({ status: 'responded', response: modelResponse });
    });

    test('inject context: messages that a hook adds reach the model', async () => {
      const messages = [{ role: 'system', content: 'use tabs' }, ...(plainRequest.messages ?? [])];
      const { calledWith } = await callModel({ BeforeModel: { hookSpecificOutput: { llm_request: { messages } } } });
      expect(calledWith).toEqual([{ ...plainRequest, messages }]);
    });

    test('stop the agent: the loop ends, and the model is not called', async () => {
      const { outcome, calledWith } = await callModel({ BeforeModel: stop });
      expect(outcome).toMatchObject({ status: 'stopped', stopReason: 'budget spent' });
      expect(calledWith).toEqual([]);
    });
  });

  describe('AfterModel', () => {
    test('what goes on is the response as a hook changed it', async () => {
      const { outcome } = await callModel({ AfterModel: { hookSpecificOutput: { llm_response: { text: 'redacted' } } } });
      const [candidate] = modelResponse.candidates ?? [];
      expect(outcome).toMatchObject({
        status: 'responded',
        response: { text: 'redacted', candidates: [{ ...candidate, content: { role: 'model', parts: ['redacted'] } }] },
      });
    });

    test('a whole new response takes the place of the old one', async () => {
      const llm_response = { text: 'new', candidates: [{ content: { role: 'model', parts: ['new'] }, finishReason: 'OTHER' }] };
      const { outcome } = await callModel({ AfterModel: { hookSpecificOutput: { llm_response } } });
      expect(outcome.response).toEqual(llm_response);
    });

    test('stop the agent: the loop ends, with a response that says why', async () => {
      const { outcome, calledWith } = await callModel({ AfterModel: stop });
      expect(calledWith).toHaveLength(1);
      expect(outcome).toMatchObject({ status: 'stopped', stopReason: 'budget spent' });
      expect(JSON.stringify(outcome.response)).toContain('budget spent');
      expect(JSON.stringify(outcome.response)).not.toContain('good day');
    });

    test('suppress output: the response is hidden from the user', async () => {
      const { outcome } = await callModel({ AfterModel: { suppressOutput: true } });
      expect(outcome).toMatchObject({ status: 'responded', suppressOutput: true, response: modelResponse });
      expect((await callModel({ AfterModel: {} })).outcome.suppressOutput).toBe(false);
    });
  });

  describe('BeforeToolSelection', () => {
    const select = (toolConfig: Record<string, unknown>) => callModel({ BeforeToolSelection: { hookSpecificOutput: { toolConfig } } });

    test('the model is offered the named tools, and no other can be called', async () => {
      const { outcome, calledWith } = await select({ allowedFunctionNames: ['read_file', 'glob'] });
      expect(calledWith.map(({ tools }) => tools)).toEqual([['read_file', 'glob']]);
      const { toolSelection } = outcome;
      if (toolSelection === undefined) throw new Error('there is no selection');
      expect((await callTool({}, { toolSelection })).ranWith).toEqual([]);
      expect((await callTool({}, { toolSelection, name: 'glob' })).ranWith).toHaveLength(1);
    });

    test.each(['AUTO', 'ANY', 'NONE'])('change tool calling mode: the model is called with the mode %s', async (mode) => {
      const { calledWith } = await select({ mode });
      expect(calledWith.map(({ toolConfig }) => toolConfig?.mode)).toEqual([mode]);
    });

    test('NONE: the model is offered no tool, and cannot call one', async () => {
      const { outcome, calledWith } = await select({ mode: 'NONE' });
      expect(calledWith.map(({ tools }) => tools)).toEqual([[]]);
      const { toolSelection } = outcome;
      if (toolSelection === undefined) throw new Error('there is no selection');
      const { outcome: call, ranWith } = await callTool({}, { toolSelection });
      expect(ranWith).toEqual([]);
      expect(call.status).toBe('blocked');
    });

    test('stop the agent: the loop ends, and the model is not called', async () => {
      const { outcome, calledWith } = await callModel({ BeforeToolSelection: stop });
      expect(outcome).toMatchObject({ status: 'stopped', stopReason: 'budget spent' });
      expect(calledWith).toEqual([]);
    });
  });
});

describe('what hooks may not do', () => {
  const deny = { decision: 'deny', reason: 'no' };
  const specific = (hookSpecificOutput: Record<string, unknown>) => ({ hookSpecificOutput });

  /** Makes a tool call. Checks that a hook's answer has no effect on it, except on reported texts. */
  async function expectToolUntouched(answers: HookAnswers): Promise<void> {
    const { outcome, ranWith } = await callTool(answers);
    expect(ranWith).toEqual([toolInput]);
    expect(outcome).toMatchObject({ status: 'executed', input: toolInput });
    expect(outcome.result).toEqual(toolResult);
  }

  /** Makes a model call. Checks that a hook's answer has no effect on it, except on reported texts. */
  async function expectModelUntouched(answers: HookAnswers) {
    const { outcome, calledWith } = await callModel(answers);
    expect(calledWith).toEqual([plainRequest]);
    expect(outcome).toMatchObject({ status: 'responded', request: plainRequest });
    expect(outcome.response).toEqual(modelResponse);
    return outcome;
  }

  describe('who may block', () => {
    test('AfterTool: no, its deny is feedback on a result that stays (decision 19)', async () => {
      expect(eventCatalogue.AfterTool.may.block).not.toBe(true);
      const { outcome, ranWith } = await callTool({ AfterTool: deny });
      expect(ranWith).toHaveLength(1);
      expect(outcome).toMatchObject({ status: 'executed', reason: 'no', result: { ...toolResult, llmContent: 'written\n\nno' } });
    });

    test('AfterModel: no', async () => {
      expect(eventCatalogue.AfterModel.may.block).toBe(false);
      await expectModelUntouched({ AfterModel: deny });
    });

    test('BeforeToolSelection: no', async () => {
      expect(eventCatalogue.BeforeToolSelection.may.block).toBe(false);
      await expectModelUntouched({ BeforeToolSelection: deny });
    });
  });

  describe('who may modify what goes in', () => {
    test('AfterTool: no', () => expectToolUntouched({ AfterTool: specific({ tool_input: { content: 'y' } }) }));

    test('AfterModel: no, a request it writes is dropped, and the hook learns that', async () => {
      const { after } = await expectModelUntouched({ AfterModel: specific({ llm_request: { model: 'm-2' } }) });
      expect(after?.finalOutput?.hookSpecificOutput ?? {}).not.toHaveProperty('llm_request');
      expect(after).toMatchObject({
        changes: [],
        outcomes: [{ warnings: [{ code: 'no_effect', message: expect.stringContaining('llm_request') }] }],
      });
    });

    test('BeforeToolSelection: no, only which tools there are', () =>
      expectModelUntouched({ BeforeToolSelection: specific({ llm_request: { model: 'm-2' } }) }));
  });

  describe('who may modify what comes out', () => {
    test('BeforeTool: no', () =>
      expectToolUntouched({ BeforeTool: specific({ updatedToolOutput: 'x', tool_response: { llmContent: 'x' } }) }));

    test('AfterTool: no', () =>
      expectToolUntouched({ AfterTool: specific({ updatedToolOutput: 'x', tool_response: { llmContent: 'x' } }) }));

    test.each<[way: string, BeforeModel: object | string]>([
      ['a response printed by a hook that then fails', `${says(specific({ llm_response: { text: 'x' } }))}; exit 1`],
      ['an invalid response', specific({ llm_response: 'x' })],
      ['the words of other events', specific({ updatedToolOutput: 'x', tool_response: { llmContent: 'x' } })],
    ])('BeforeModel: no, where the model is called its answer goes on; %s', async (_way, BeforeModel) => {
      await expectModelUntouched({ BeforeModel });
    });

    test('BeforeToolSelection: no', () => expectModelUntouched({ BeforeToolSelection: specific({ llm_response: { text: 'x' } }) }));
  });

  describe('who may add context', () => {
    const context = specific({ additionalContext: 'use tabs' });
    const llmContent = 'written\n\n<hook_context>\nuse tabs\n</hook_context>';

    // LLxprt's documents say that BeforeTool has no context. Agents whose hooks have it show it to the model next to the result, so it is
    // kept.
    test('BeforeTool: settled the other way, its context reaches the model, behind the result', async () => {
      const { outcome, ranWith } = await callTool({ BeforeTool: context });
      expect(ranWith).toEqual([toolInput]);
      expect(outcome.result).toEqual({ ...toolResult, llmContent });
    });

    test('AfterModel: no', () => expectModelUntouched({ AfterModel: context }));

    test('BeforeToolSelection: no', () => expectModelUntouched({ BeforeToolSelection: context }));
  });

  test('BeforeToolSelection changes what the model may call, and nothing else', async () => {
    const toolConfig = { mode: 'ANY', allowedFunctionNames: ['glob'] } as const;
    const { outcome, calledWith } = await callModel({ BeforeToolSelection: specific({ toolConfig }) });
    expect(calledWith).toEqual([{ ...plainRequest, toolConfig, tools: ['glob'] }]);
    expect(outcome.response).toEqual(modelResponse);
    expect(outcome.toolSelection).toMatchObject(toolConfig);
  });
});
