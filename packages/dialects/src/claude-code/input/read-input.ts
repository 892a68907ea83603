import type { ReadInput } from '@tenterhook/protocol';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import { toToolResponse, unknownFailure } from '../../shared/tool-response.js';
import { withHostCall } from '../../shared/tools/tool-call.js';
import type { ClaudeHost } from '../options.js';
import { withModelText } from '../tools/tool-result.js';
import { type ClaudeEvent, factsOf, isClaudeEvent } from './event-table.js';
import { canonicalWord } from './payload.js';

type Fields = Readonly<Record<string, unknown>>;

/** Converts the stdin of a Claude Code hook back into canonical fields. This is the inverse of `payloadOf`. */
export function readInput(event: string, input: Fields, host: ClaudeHost): ReadInput {
  if (!isClaudeEvent(event)) return { input, defaults: {} };
  const fields = factsOf(event).ofTool ? withHostCall(input, host.tools.toHostCall) : input;
  const read = omitUndefined(readFields(event, fields, input['tool_name'], host));
  return { input: read, defaults: (defaults as Partial<Record<ClaudeEvent, Fields>>)[event] ?? {} };
}

/** Values for fields that Claude Code does not send, or did not send in earlier versions. */
const defaults = {
  PostToolUseFailure: { tool_response: { error: unknownFailure } },
  Stop: { prompt: '', prompt_response: '', stop_hook_active: false },
  Notification: { details: {} },
  SubagentStart: { agent_type: '' },
  SubagentStop: { agent_type: '' },
} as const satisfies { readonly [Event in ClaudeEvent]?: Fields };

/** Converts the fields of stdin. `dialectName` is the name of the tool in Claude Code. */
function readFields(event: ClaudeEvent, input: Fields, dialectName: unknown, host: ClaudeHost): Fields {
  switch (event) {
    case 'PostToolUse':
      return { ...input, tool_response: toToolResponse(withModelText(input['tool_response'], dialectName)) };
    case 'PostToolUseFailure': {
      const { error, ...others } = input;
      return { ...others, tool_response: toToolResponse(input['tool_response'], error) };
    }
    case 'PostToolBatch': {
      const { tool_calls: calls } = input;
      return Array.isArray(calls)
        ? { ...input, tool_calls: calls.map((call) => (isPlainObject(call) ? withHostCall(call, host.tools.toHostCall) : call)) }
        : input;
    }
    case 'Stop': {
      const { last_assistant_message: answer, ...others } = input;
      return { prompt_response: answer, ...others };
    }
    case 'SessionStart': {
      const { model, ...others } = input;
      return { model_name: model, ...others, source: canonicalWord(event, input['source']) };
    }
    case 'Notification':
      return { ...input, notification_type: canonicalWord(event, input['notification_type']) };
    default:
      return input;
  }
}
