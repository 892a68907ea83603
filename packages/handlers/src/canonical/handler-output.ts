import type { HookEvent, HookOutput, LLMRequest } from '@tenterhook/protocol';
import { hasFailed } from '@tenterhook/protocol/internal';
import { isPlainObject } from '@tenterhook/runtime/json';
import type { Answer } from '../calling/read-answer.js';
import type { HookEventType } from '../definition/hook-event-type.js';
import { lastUserText, systemText, toContentText, withSystemText, withUserText } from './conversation.js';

/**
 * Converts the answer of a handler into canonical output. Block becomes a deny. Continue and Skip become output without a decision,
 * because a handler never allows.
 */
export function toHookOutput(answer: Answer, type: HookEventType, event: HookEvent, hookId: string): HookOutput | undefined {
  switch (answer.kind) {
    case 'block':
      return { decision: 'deny', reason: answer.reason };
    case 'retry':
      return {
        decision: 'deny',
        reason: `Hook "${hookId}" asks for a retry in ${answer.delayMs} ms.`,
        hookSpecificOutput: { retryAfterMs: answer.delayMs },
      };
    case 'skip':
      return { hookSpecificOutput: { skipRemaining: true } };
    case 'continue':
      return answer.modified === undefined ? undefined : { hookSpecificOutput: toRewrite(answer.modified, type, event) };
  }
}

type Modified = Readonly<Record<string, unknown>>;

/** Returns the output fields that write a handler's changes back to the canonical fields of the event (decisions 48a and 71). */
function toRewrite(modified: Modified, type: HookEventType, { input }: HookEvent): Record<string, unknown> {
  switch (type) {
    case 'pre_tool_use':
      return { updatedInput: modified };
    case 'post_tool_use':
      return { updatedToolOutput: rewriteToolOutput(modified, isPlainObject(input['tool_response']) ? input['tool_response'] : {}) };
    case 'generate_start':
      return { llm_request: { messages: rewriteMessages(modified, (input['llm_request'] ?? {}) as LLMRequest) } };
    case 'generate_end':
      return { llm_response: { text: modified['response_text'] } };
    // `readAnswer` has dropped all fields, because on these events a handler can rewrite none.
    case 'session_start':
    case 'session_end':
      return {};
  }
}

/**
 * Returns a complete tool response. If the handler changed the text, all parts that may repeat the old text are removed: the
 * display for the user, the message of an error, and fields of the host. Otherwise a secret that the handler removed from the text
 * would stay in these parts.
 */
function rewriteToolOutput({ success, output, ...measured }: Modified, response: Record<string, unknown>): Record<string, unknown> {
  const { error, ...rest } = response;
  const isFailure = success === undefined ? hasFailed(response) : success === false;
  // The text is unchanged, so the other parts, such as images, are kept.
  if (output === undefined || output === toContentText(response['llmContent'])) {
    const failure = isFailure ? { error: hasFailed(response) ? error : { message: 'A handler reported that the tool failed.' } } : {};
    return { ...rest, ...measured, ...failure };
  }
  const failure = isFailure ? { error: { message: output } } : {};
  return { ...pickMeasurements(rest), ...measured, llmContent: output, returnDisplay: output, ...failure };
}

function pickMeasurements(response: Record<string, unknown>): Record<string, unknown> {
  const fields = ['exit_code', 'exitCode', 'duration_ms'].filter((field) => typeof response[field] === 'number');
  return Object.fromEntries(fields.map((field) => [field, response[field]]));
}

/**
 * Returns the messages of a request with the changed texts. A message with unchanged text stays as it is, because it may have
 * several parts.
 */
function rewriteMessages({ prompt, system_prompt }: Modified, request: LLMRequest): NonNullable<LLMRequest['messages']> {
  const { messages = [] } = request;
  const asked = typeof prompt === 'string' && prompt !== lastUserText(request) ? withUserText(messages, prompt) : [...messages];
  return typeof system_prompt === 'string' && system_prompt !== systemText(request) ? withSystemText(asked, system_prompt) : asked;
}
