import { callModel, callTool, modelResponse, plainRequest, toolInput, toolResult } from './agent-calls.js';

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

  test('stop the agent: the loop ends, and the user is told why', async () => {
    const { outcome, ranWith } = await callTool({ BeforeTool: stop });
    expect(outcome).toMatchObject({ status: 'stopped', stopReason: 'budget spent' });
    expect(ranWith).toEqual([]);
  });
});

describe('AfterTool', () => {
  test('inject context: the context stands behind what the model reads, and not in what the user sees', async () => {
    const { outcome } = await callTool({ AfterTool: { hookSpecificOutput: { additionalContext: 'lint: 3 warnings' } } });
    expect(outcome.result).toEqual({ ...toolResult, llmContent: 'written\n\n<hook_context>\nlint: 3 warnings\n</hook_context>' });
  });

  test('stop the agent: the loop ends, and the user is told why', async () => {
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

  test('NONE: the model is offered no tool, and none can be called', async () => {
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
