import type { ReadInput } from '@tenterhook/protocol';
import { omitUndefined } from '@tenterhook/runtime/json';
import { toToolResponse } from '../../shared/tool-response.js';
import { withHostCall } from '../../shared/tools/tool-call.js';
import type { CodexHost } from '../options.js';
import { toHostCall } from '../tools/tool-call.js';
import { type CodexEvent, factsOf, isCodexEvent } from './event-table.js';

type Fields = Readonly<Record<string, unknown>>;

/** Converts the stdin of a Codex hook back into canonical fields. This is the inverse of `payloadOf`. */
export function readInput(event: string, given: Fields, host: CodexHost): ReadInput {
  if (!isCodexEvent(event)) return { input: given, defaults: {} };
  const { transcript_path: transcript, ...others } = given;
  const input = transcript === null ? { ...others, transcript_path: '' } : given;
  const fields = factsOf(event).ofTool ? withHostCall(input, (name, call) => toHostCall(name, call, host)) : input;
  return { input: omitUndefined(readFields(event, fields)), defaults: (defaults as Partial<Record<CodexEvent, Fields>>)[event] ?? {} };
}

/** Values for fields that Codex does not send. */
const defaults = {
  Stop: { prompt: '', prompt_response: '', stop_hook_active: false },
  SubagentStart: { agent_type: '' },
  SubagentStop: { agent_type: '' },
} as const satisfies { readonly [Event in CodexEvent]?: Fields };

function readFields(event: CodexEvent, input: Fields): Fields {
  switch (event) {
    case 'PostToolUse':
      return { ...input, tool_response: toToolResponse(input['tool_response']) };
    case 'Stop': {
      const { last_assistant_message: answer, ...others } = input;
      return { prompt_response: answer ?? undefined, ...others };
    }
    case 'SubagentStop': {
      const { agent_transcript_path: transcript, last_assistant_message: answer, ...others } = input;
      return { ...others, agent_transcript_path: transcript ?? undefined, last_assistant_message: answer ?? undefined };
    }
    case 'SessionStart': {
      const { model, ...others } = input;
      return { model_name: model, ...others, source: input['source'] === 'compact' ? 'compress' : input['source'] };
    }
    default:
      return input;
  }
}
