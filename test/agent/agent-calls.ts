import { callModelWithHooks, executeToolWithHooks, type FinishedModelCall, type FinishedToolCall, type ToolCall } from '@tenterhook/agent';
import { recordingModel, recordingTool, withCommands } from '../support/agent.js';
import { says } from '../support/fire-hooks.js';
import type { LlxprtEvent } from '../support/fired-events.js';
import { type PlainRequest, type PlainResponse, plainTranslator } from '../support/plain-translator.js';

/** What one hook of each event prints: an object as JSON, or a command of its own. */
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

/** One tool call of an agent with these hooks: what came of it, and what the tool was run with. */
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

/** One model call of an agent with these hooks: what came of it, and which requests the model got. */
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
