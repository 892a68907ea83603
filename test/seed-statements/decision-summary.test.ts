import { eventCatalogue } from '@tenterhook/protocol';
import { says } from '../support/fire-hooks.js';
import { callModel, callTool, type HookAnswers, modelResponse, plainRequest, toolInput, toolResult } from './agent-calls.js';

const deny = { decision: 'deny', reason: 'no' };
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

  test('AfterModel: no, a request it writes is dropped, and it is told so', async () => {
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

  test('AfterTool: no', () => expectToolUntouched({ AfterTool: specific({ updatedToolOutput: 'x', tool_response: { llmContent: 'x' } }) }));

  test.each<[way: string, BeforeModel: object | string]>([
    ['a response printed by a hook that then fails', `${says(specific({ llm_response: { text: 'x' } }))}; exit 1`],
    ['a response that is none', specific({ llm_response: 'x' })],
    ['the words of other events', specific({ updatedToolOutput: 'x', tool_response: { llmContent: 'x' } })],
  ])('BeforeModel: no, where the model is called its answer goes on; %s', async (_way, BeforeModel) => {
    await expectModelUntouched({ BeforeModel });
  });

  test('BeforeToolSelection: no', () => expectModelUntouched({ BeforeToolSelection: specific({ llm_response: { text: 'x' } }) }));
});

describe('who may add context', () => {
  const context = specific({ additionalContext: 'use tabs' });
  const llmContent = 'written\n\n<hook_context>\nuse tabs\n</hook_context>';

  // The documents say no here. Agents whose hooks have such a context show it to the model beside the result, so it is not thrown away.
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
