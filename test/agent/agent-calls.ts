import { callModelWithHooks, executeToolWithHooks, type FinishedModelCall, type FinishedToolCall, type ToolCall } from '@tenterhook/agent';
import { recordingModel, recordingTool, withCommands } from '../support/agent.js';
import { says } from '../support/fire-hooks.js';
import type { LlxprtEvent } from '../support/fired-events.js';
import { type PlainRequest, type PlainResponse, plainTranslator } from '../support/plain-translator.js';

/** What the hook of each event prints: an object as JSON, or the text of a command. */
export type HookAnswers = { readonly [Name in LlxprtEvent]?: object | string };

export const toolInput = { path: 'a.txt', content: 'x' };
export const toolResult = { llmContent: 'written', returnDisplay: 'Wrote a.txt' };
export const plainRequest: PlainRequest = {
  model: 'm-1',
  messages: [{ role: 'user', content: 'hello' }],
  config: { temperature: 0.5 },
  tools: ['read_file', 'write_file', 'glob'],
};
export const modelResponse: PlainResponse = {
  text: 'good day',
  candidates: [{ content: { role: 'model', parts: ['good day'] }, finishReason: 'STOP' }],
};

/** Makes one tool call of an agent with these hooks. Returns the outcome, and the inputs with which the tool was run. */
export function callTool(
  answers: HookAnswers,
  call: Partial<ToolCall> = {},
): Promise<{ outcome: FinishedToolCall; ranWith: Record<string, unknown>[] }> {
  return withCommands(commandsOf(answers), async ({ client }) => {
    const { calls, execute } = recordingTool(toolResult);
    const outcome = await executeToolWithHooks(client, { name: 'write_file', input: toolInput, execute, ...call });
    return { outcome, ranWith: calls };
  });
}

/** Makes one model call of an agent with these hooks. Returns the outcome, and the requests that the model received. */
export function callModel(
  answers: HookAnswers,
): Promise<{ outcome: FinishedModelCall<PlainRequest, PlainResponse>; calledWith: PlainRequest[] }> {
  return withCommands(commandsOf(answers), async ({ client }) => {
    const { requests, call } = recordingModel<PlainRequest, PlainResponse>(modelResponse);
    const outcome = await callModelWithHooks(client, { request: plainRequest, translator: plainTranslator(), call });
    return { outcome, calledWith: requests };
  });
}

function commandsOf(answers: HookAnswers): { [Name in LlxprtEvent]?: string[] } {
  const commands = Object.entries(answers).map(([eventName, answer]) => [eventName, [typeof answer === 'string' ? answer : says(answer)]]);
  return Object.fromEntries(commands);
}
