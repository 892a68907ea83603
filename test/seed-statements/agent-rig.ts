import {
  callModelWithHooks,
  createHookClient,
  executeToolWithHooks,
  type LlmTranslator,
  type FinishedModelCall,
  type ToolCall,
  type FinishedToolCall,
} from '@tenterhook/agent';
import type { LLMRequest, LLMResponse } from '@tenterhook/protocol';
import { says, withHooks } from '../support/fire-hooks.js';
import type { SeedEvent } from './fired-events.js';

/** What one hook of each event prints: an object as JSON, or a command of its own. */
export type HookAnswers = { readonly [Name in SeedEvent]?: object | string };

/** A model format that is the hooks' own, and names of tools beside it. */
export interface PlainRequest extends LLMRequest {
  readonly tools?: readonly string[];
}

export const plainRequest: PlainRequest = {
  model: 'm-1',
  messages: [{ role: 'user', content: 'hello' }],
  config: { temperature: 0.5 },
  tools: ['read_file', 'write_file', 'glob'],
};

const plainTranslator: LlmTranslator<PlainRequest, LLMResponse> = {
  name: 'plain',
  toHookRequest: ({ tools: _tools, ...request }) => request,
  fromHookRequest: (changed, original) => ({ ...original, ...changed }),
  toHookResponse: (response) => response,
  fromHookResponse: (changed) => changed,
  toolNames: ({ tools = [] }) => tools,
  withToolConfig: (request, toolConfig) => {
    const { mode, allowedFunctionNames = request.tools ?? [] } = toolConfig;
    const offered = (request.tools ?? []).filter((name) => mode !== 'NONE' && allowedFunctionNames.includes(name));
    return { ...request, toolConfig, tools: offered };
  },
};

export const toolInput = { path: 'a.txt', content: 'x' };
export const toolResult = { llmContent: 'written', returnDisplay: 'Wrote a.txt' };

/** One tool call of an agent with these hooks: what came of it, and what the tool was run with. */
export function callTool(
  answers: HookAnswers,
  call: Partial<ToolCall> = {},
): Promise<{ outcome: FinishedToolCall; ranWith: Record<string, unknown>[] }> {
  return withHooks({ settings: settingsFor(answers) }, async ({ hooks }) => {
    const ranWith: Record<string, unknown>[] = [];
    const execute = (input: Record<string, unknown>) => {
      ranWith.push(input);
      return toolResult;
    };
    const outcome = await executeToolWithHooks(createHookClient(hooks), { name: 'write_file', input: toolInput, execute, ...call });
    return { outcome, ranWith };
  });
}

export const modelResponse: LLMResponse = {
  text: 'good day',
  candidates: [{ content: { role: 'model', parts: ['good day'] }, finishReason: 'STOP' }],
};

/** One model call of an agent with these hooks: what came of it, and which requests the model got. */
export function callModel(answers: HookAnswers): Promise<{ outcome: FinishedModelCall<PlainRequest, LLMResponse>; calledWith: PlainRequest[] }> {
  return withHooks({ settings: settingsFor(answers) }, async ({ hooks }) => {
    const calledWith: PlainRequest[] = [];
    const call = (request: PlainRequest) => {
      calledWith.push(request);
      return modelResponse;
    };
    const outcome = await callModelWithHooks(createHookClient(hooks), { request: plainRequest, translator: plainTranslator, call });
    return { outcome, calledWith };
  });
}

function settingsFor(answers: HookAnswers): object {
  const groups = Object.entries(answers).map(([eventName, answer]) => {
    const command = typeof answer === 'string' ? answer : says(answer);
    return [eventName, [{ hooks: [{ command }] }]];
  });
  return { hooks: Object.fromEntries(groups) };
}
