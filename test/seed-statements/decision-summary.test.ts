import { eventCatalogue } from '@tenterhook/protocol';
import { says } from '../support/fire-hooks.js';
import { callModel, callTool, type HookAnswers, modelResponse, plainRequest, toolInput, toolResult } from './agent-calls.js';

const deny = { decision: 'deny', reason: 'no' };
const stop = { continue: false, stopReason: 'enough' };
const specific = (hookSpecificOutput: Record<string, unknown>) => ({ hookSpecificOutput });

/** A tool call on which a hook's answer has no effect at all, except on what is said about it. */
async function expectToolUntouched(answers: HookAnswers): Promise<void> {
  const { outcome, ranWith } = await callTool(answers);
  expect(ranWith).toEqual([toolInput]);
  expect(outcome).toMatchObject({ status: 'executed', input: toolInput });
  expect(outcome.result).toEqual(toolResult);
}

/** A model call on which a hook's answer has no effect at all, except on what is said about it. */
async function expectModelUntouched(answers: HookAnswers) {
  const { outcome, calledWith } = await callModel(answers);
  expect(calledWith).toEqual([plainRequest]);
  expect(outcome).toMatchObject({ status: 'responded', request: plainRequest });
  expect(outcome.response).toEqual(modelResponse);
  return outcome;
}

describe('who may block', () => {
  test('[001/8/BeforeTool/can-block] BeforeTool: yes', async () => {
    expect(eventCatalogue.BeforeTool.may.block).toBe(true);
    expect(await callTool({ BeforeTool: deny })).toMatchObject({ outcome: { status: 'blocked', reason: 'no' }, ranWith: [] });
  });

  test('[001/8/AfterTool/can-block] AfterTool: no, its deny is feedback on a result that stays (decision 19)', async () => {
    expect(eventCatalogue.AfterTool.may.block).not.toBe(true);
    const { outcome, ranWith } = await callTool({ AfterTool: deny });
    expect(ranWith).toHaveLength(1);
    expect(outcome).toMatchObject({ status: 'executed', reason: 'no', result: { ...toolResult, llmContent: 'written\n\nno' } });
  });

  test('[001/8/BeforeModel/can-block] BeforeModel: yes, with a response in place of the call or an empty one', async () => {
    expect(eventCatalogue.BeforeModel.may.block).toBe(true);
    const synthetic = { ...deny, ...specific({ llm_response: { text: 'cached' } }) };
    expect(await callModel({ BeforeModel: synthetic })).toMatchObject({ outcome: { response: { text: 'cached' } }, calledWith: [] });
    const { outcome, calledWith } = await callModel({ BeforeModel: deny });
    expect(calledWith).toEqual([]);
    expect(outcome.response).toEqual({});
  });

  test('[001/8/AfterModel/can-block] AfterModel: no', async () => {
    expect(eventCatalogue.AfterModel.may.block).toBe(false);
    await expectModelUntouched({ AfterModel: deny });
  });

  test('[001/8/BeforeToolSelection/can-block] BeforeToolSelection: no', async () => {
    expect(eventCatalogue.BeforeToolSelection.may.block).toBe(false);
    await expectModelUntouched({ BeforeToolSelection: deny });
  });
});

describe('who may modify what goes in', () => {
  test('[001/8/BeforeTool/can-modify-input] BeforeTool: yes, tool_input', async () => {
    const { ranWith } = await callTool({ BeforeTool: specific({ tool_input: { content: 'y' } }) });
    expect(ranWith).toEqual([{ ...toolInput, content: 'y' }]);
  });

  test('[001/8/AfterTool/can-modify-input] AfterTool: no', () =>
    expectToolUntouched({ AfterTool: specific({ tool_input: { content: 'y' } }) }));

  test('[001/8/BeforeModel/can-modify-input] BeforeModel: yes, llm_request', async () => {
    const { calledWith } = await callModel({ BeforeModel: specific({ llm_request: { model: 'm-2' } }) });
    expect(calledWith).toEqual([{ ...plainRequest, model: 'm-2' }]);
  });

  test('[001/8/AfterModel/can-modify-input] AfterModel: no, a request it writes is dropped, and it is told so', async () => {
    const { after } = await expectModelUntouched({ AfterModel: specific({ llm_request: { model: 'm-2' } }) });
    expect(after?.finalOutput?.hookSpecificOutput ?? {}).not.toHaveProperty('llm_request');
    expect(after).toMatchObject({
      changes: [],
      outcomes: [{ warnings: [{ code: 'no_effect', message: expect.stringContaining('llm_request') }] }],
    });
  });

  test('[001/8/BeforeToolSelection/can-modify-input] BeforeToolSelection: no, only which tools there are', () =>
    expectModelUntouched({ BeforeToolSelection: specific({ llm_request: { model: 'm-2' } }) }));
});

describe('who may modify what comes out', () => {
  test('[001/8/BeforeTool/can-modify-output] BeforeTool: no', () =>
    expectToolUntouched({ BeforeTool: specific({ updatedToolOutput: 'x', tool_response: { llmContent: 'x' } }) }));

  test('[001/8/AfterTool/can-modify-output] AfterTool: no', () =>
    expectToolUntouched({ AfterTool: specific({ updatedToolOutput: 'x', tool_response: { llmContent: 'x' } }) }));

  test('[001/8/AfterTool/footnote] AfterTool: what it may do is hide the result from the user, and add a message', async () => {
    const { outcome } = await callTool({ AfterTool: { suppressOutput: true, systemMessage: 'look' } });
    expect(outcome).toMatchObject({ suppressOutput: true, systemMessages: ['look'] });
    expect(outcome.result).toEqual(toolResult);
  });

  test.each<[way: string, BeforeModel: object | string]>([
    ['a response printed by a hook that then fails', `${says(specific({ llm_response: { text: 'x' } }))}; exit 1`],
    ['a response that is none', specific({ llm_response: 'x' })],
    ['the words of other events', specific({ updatedToolOutput: 'x', tool_response: { llmContent: 'x' } })],
  ])(
    '[001/8/BeforeModel/can-modify-output] BeforeModel: no, where the model is called its answer goes on; %s',
    async (_way, BeforeModel) => {
      await expectModelUntouched({ BeforeModel });
    },
  );

  test('[001/8/AfterModel/can-modify-output] AfterModel: yes, llm_response', async () => {
    const llm_response = { text: 'redacted', candidates: [{ content: { role: 'model', parts: ['redacted'] }, finishReason: 'OTHER' }] };
    expect((await callModel({ AfterModel: specific({ llm_response }) })).outcome.response).toEqual(llm_response);
  });

  test('[001/8/BeforeToolSelection/can-modify-output] BeforeToolSelection: no', () =>
    expectModelUntouched({ BeforeToolSelection: specific({ llm_response: { text: 'x' } }) }));
});

describe('who may stop the agent', () => {
  test('[001/8/BeforeTool/can-stop-agent] BeforeTool: yes', async () => {
    expect(await callTool({ BeforeTool: stop })).toMatchObject({ outcome: { status: 'stopped', stopReason: 'enough' }, ranWith: [] });
  });

  test('[001/8/AfterTool/can-stop-agent] AfterTool: yes', async () => {
    expect((await callTool({ AfterTool: stop })).outcome).toMatchObject({ status: 'stopped', stopReason: 'enough' });
  });

  test('[001/8/BeforeModel/can-stop-agent] BeforeModel: yes', async () => {
    expect(await callModel({ BeforeModel: stop })).toMatchObject({ outcome: { status: 'stopped', stopReason: 'enough' }, calledWith: [] });
  });

  test('[001/8/AfterModel/can-stop-agent] AfterModel: yes', async () => {
    expect((await callModel({ AfterModel: stop })).outcome).toMatchObject({ status: 'stopped', stopReason: 'enough' });
  });

  test('[001/8/BeforeToolSelection/can-stop-agent] BeforeToolSelection: yes', async () => {
    expect(await callModel({ BeforeToolSelection: stop })).toMatchObject({
      outcome: { status: 'stopped', stopReason: 'enough' },
      calledWith: [],
    });
  });
});

describe('who may add context', () => {
  const context = specific({ additionalContext: 'use tabs' });
  const llmContent = 'written\n\n<hook_context>\nuse tabs\n</hook_context>';

  // The documents say no here. Agents whose hooks have such a context show it to the model beside the result, so it is not thrown away.
  test('[001/8/BeforeTool/can-inject-context] BeforeTool: settled the other way, its context reaches the model, behind the result', async () => {
    const { outcome, ranWith } = await callTool({ BeforeTool: context });
    expect(ranWith).toEqual([toolInput]);
    expect(outcome.result).toEqual({ ...toolResult, llmContent });
  });

  test('[001/8/AfterTool/can-inject-context] AfterTool: yes, additionalContext', async () => {
    expect((await callTool({ AfterTool: context })).outcome.result).toEqual({ ...toolResult, llmContent });
  });

  test('[001/8/BeforeModel/can-inject-context] BeforeModel: yes, as messages', async () => {
    const messages = [...(plainRequest.messages ?? []), { role: 'user', content: 'use tabs' }];
    const { calledWith } = await callModel({ BeforeModel: specific({ llm_request: { messages } }) });
    expect(calledWith).toEqual([{ ...plainRequest, messages }]);
  });

  test('[001/8/AfterModel/can-inject-context] AfterModel: no', () => expectModelUntouched({ AfterModel: context }));

  test('[001/8/BeforeToolSelection/can-inject-context] BeforeToolSelection: no', () =>
    expectModelUntouched({ BeforeToolSelection: context }));
});

test('[001/8/BeforeToolSelection/note] BeforeToolSelection changes what the model may call, and nothing else', async () => {
  const toolConfig = { mode: 'ANY', allowedFunctionNames: ['glob'] } as const;
  const { outcome, calledWith } = await callModel({ BeforeToolSelection: specific({ toolConfig }) });
  expect(calledWith).toEqual([{ ...plainRequest, toolConfig, tools: ['glob'] }]);
  expect(outcome.response).toEqual(modelResponse);
  expect(outcome.toolSelection).toMatchObject(toolConfig);
});
