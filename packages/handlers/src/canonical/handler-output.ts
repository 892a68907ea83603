import { type HookEvent as CanonicalEvent, type HookOutput, hasFailed, type LLMRequest } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import type { Answer } from '../calling/answer.js';
import type { HookEventType } from '../definition/hook-event-type.js';
import { lastUserText, systemText, withSystemText, withUserText } from './conversation.js';
import { textOfContent } from './text-of-content.js';

/** What a handler said in the words of the system: Block is deny, Continue and Skip are no opinion and never allow. */
export function outputOf(answer: Answer, type: HookEventType, event: CanonicalEvent, hookId: string): HookOutput | undefined {
  switch (answer.kind) {
    case 'block':
      return { decision: 'deny', reason: answer.reason };
    case 'retry':
      return {
        decision: 'deny',
        reason: `Hook "${hookId}" asks to try again in ${answer.delayMs} ms.`,
        hookSpecificOutput: { retryAfterMs: answer.delayMs },
      };
    case 'skip':
      return { hookSpecificOutput: { skipRemaining: true } };
    case 'continue':
      return answer.modified === undefined ? undefined : { hookSpecificOutput: rewriteOf(answer.modified, type, event) };
  }
}

type Modified = Readonly<Record<string, unknown>>;

/** The rewrite that brings the fields back to where they were read from (decisions 48a and 71). */
function rewriteOf(modified: Modified, type: HookEventType, { input }: CanonicalEvent): Record<string, unknown> {
  switch (type) {
    case 'pre_tool_use':
      return { updatedInput: modified };
    case 'post_tool_use':
      return { updatedToolOutput: toolOutput(modified, isPlainObject(input['tool_response']) ? input['tool_response'] : {}) };
    case 'generate_start':
      return { llm_request: { messages: messagesWith(modified, (input['llm_request'] ?? {}) as LLMRequest) } };
    case 'generate_end':
      return { llm_response: { text: modified['response_text'] } };
    // Nothing of them can be rewritten: `readModified` lets nothing through.
    case 'session_start':
    case 'session_end':
      return {};
  }
}

/**
 * A whole response. Where the text is another one, nothing of the old response stays that could hold what was there: the text for the user,
 * the words of an error, what the host adds. A redaction of one must not leave it in the other.
 */
function toolOutput({ success, output, ...measured }: Modified, response: Record<string, unknown>): Record<string, unknown> {
  const { error, ...rest } = response;
  const isFailure = success === undefined ? hasFailed(response) : success === false;
  // A text that comes back as it was shown is no rewrite: parts that are no text would be lost for it.
  if (output === undefined || output === textOfContent(response['llmContent'])) {
    const failure = isFailure ? { error: hasFailed(response) ? error : { message: 'A handler says that the tool failed.' } } : {};
    return { ...rest, ...measured, ...failure };
  }
  const failure = isFailure ? { error: { message: output } } : {};
  return { ...measurementsOf(rest), ...measured, llmContent: output, returnDisplay: output, ...failure };
}

function measurementsOf(response: Record<string, unknown>): Record<string, unknown> {
  const fields = ['exit_code', 'exitCode', 'duration_ms'].filter((field) => typeof response[field] === 'number');
  return Object.fromEntries(fields.map((field) => [field, response[field]]));
}

/** The same holds here: messages whose text comes back as it was shown stay as they are, structured ones and several system messages. */
function messagesWith({ prompt, system_prompt }: Modified, request: LLMRequest): NonNullable<LLMRequest['messages']> {
  const { messages = [] } = request;
  const asked = typeof prompt === 'string' && prompt !== lastUserText(request) ? withUserText(messages, prompt) : [...messages];
  return typeof system_prompt === 'string' && system_prompt !== systemText(request) ? withSystemText(asked, system_prompt) : asked;
}
