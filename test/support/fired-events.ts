import type { HookEventName } from '@tenterhook/protocol';
import { withEndingHooks } from './fire-hooks.js';

/** The fields with which each event of LLxprt is fired, besides the base fields. */
export const request = {
  model: 'm-1',
  messages: [
    { role: 'system', content: 'be brief' },
    { role: 'user', content: 'hello' },
    { role: 'model', content: 'hi' },
  ],
  config: {
    temperature: 0.2,
    maxOutputTokens: 800,
    topP: 0.9,
    topK: 40,
    stopSequences: ['END'],
    candidateCount: 2,
    presencePenalty: 0.5,
    frequencyPenalty: 0.25,
  },
  toolConfig: { mode: 'AUTO', allowedFunctionNames: ['read_file', 'glob'] },
} as const;

export const response = {
  text: 'good day',
  candidates: [
    {
      content: { role: 'model', parts: ['good ', 'day'] },
      finishReason: 'STOP',
      index: 0,
      safetyRatings: [{ category: 'harassment', probability: 'LOW' }],
    },
  ],
  usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
} as const;

export const eventFields = {
  BeforeTool: { tool_name: 'write_file', tool_input: { path: 'a.txt', content: 'x' } },
  AfterTool: { tool_name: 'write_file', tool_input: { path: 'a.txt' }, tool_response: { llmContent: 'written' } },
  BeforeAgent: { prompt: 'fix the test' },
  AfterAgent: { prompt: 'fix the test', prompt_response: 'fixed', stop_hook_active: true },
  BeforeModel: { llm_request: request },
  AfterModel: { llm_request: request, llm_response: response },
  BeforeToolSelection: { llm_request: request },
  SessionStart: { source: 'resume' },
  SessionEnd: { reason: 'logout' },
  PreCompress: { trigger: 'auto' },
  Notification: { notification_type: 'ToolPermission', message: 'may it?', details: { tool: 'write_file' } },
} as const satisfies Partial<Record<HookEventName, Record<string, unknown>>>;

export type LlxprtEvent = keyof typeof eventFields;
export const llxprtEvents = Object.keys(eventFields) as LlxprtEvent[];

/** What one hook of every event has read from stdin, and when and where the event was fired. */
export interface SeenInputs {
  readonly inputs: Readonly<Record<LlxprtEvent, Readonly<Record<string, unknown>>>>;
  /** The complete stdin. */
  readonly raw: Readonly<Record<LlxprtEvent, string>>;
  readonly projectDir: string;
  readonly began: number;
  readonly ended: number;
}

export const transcriptPath = '/srv/session.jsonl';

/** Fires every event once, each with one hook that records what it reads. */
export function fireEveryEvent(): Promise<SeenInputs> {
  const hooks = Object.fromEntries(llxprtEvents.map((eventName) => [eventName, [{ hooks: [{ command: `cat > ${eventName}.json` }] }]]));
  return withEndingHooks({ settings: { hooks }, advanced: { transcriptPath } }, async ({ handler, projectDir, read }) => {
    const began = Date.now();
    await Promise.all(llxprtEvents.map((eventName) => handler.fire(eventName, eventFields[eventName])));
    const ended = Date.now();
    const raw = Object.fromEntries(llxprtEvents.map((eventName) => [eventName, read(`${eventName}.json`) ?? '']));
    const inputs = Object.fromEntries(llxprtEvents.map((eventName) => [eventName, JSON.parse(raw[eventName] as string)]));
    return { inputs, raw, projectDir, began, ended } as unknown as SeenInputs;
  });
}
