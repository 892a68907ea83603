import type { HookEvent } from '@tenterhook/protocol';
import { omitUndefined } from '@tenterhook/runtime/json';
import { oncePerInput } from '../../shared/per-input.js';
import { isText } from '../../shared/text.js';
import { hashOf, toCallId } from '../../shared/tools/call-id.js';
import { namesInInput } from '../../shared/tools/tool-call.js';
import type { CodexHost } from '../options.js';
import { callOfInput } from '../tools/tool-call.js';
import { type CodexEvent, factsOf } from './event-table.js';

type Fields = Readonly<Record<string, unknown>>;

const payloadsOf = oncePerInput((_input, _host: CodexHost) => new Map<CodexEvent, Fields>());

/** Returns the object that a hook of this event reads on stdin. Hooks with the same input share one object. */
export function payloadOf({ input }: HookEvent, event: CodexEvent, host: CodexHost): Fields {
  const payloads = payloadsOf(input, host);
  let payload = payloads.get(event);
  if (payload === undefined) {
    payload = {
      session_id: input['session_id'],
      transcript_path: isText(input['transcript_path']) ? input['transcript_path'] : null,
      cwd: input['cwd'],
      hook_event_name: event,
      ...writeFields(input, event, host),
    };
    payloads.set(event, payload);
  }
  return payload;
}

/**
 * Returns the fields of this event, without the fields that every event has. Codex's schemas allow no other fields, so fields that a
 * host adds are left out.
 */
export function writeFields(input: Fields, event: CodexEvent, host: CodexHost): Fields {
  const { input: names, inSubagent } = factsOf(event);
  const agent = inSubagent ? { agent_id: input['agent_id'], agent_type: input['agent_type'] } : {};
  return omitUndefined({ ...Object.fromEntries(names.map((name) => [name, fieldOf(name, input, event, host)])), ...omitUndefined(agent) });
}

/** Returns the texts that a matcher is compared with, or undefined if the event does not have the field. */
export function subjectsOf({ input }: HookEvent, event: CodexEvent, host: CodexHost): readonly string[] | undefined {
  const { subject, ofTool } = factsOf(event);
  if (subject === undefined) return undefined;
  // Only the field that is needed is read, because a plan is reused if the fields that were read are equal.
  if (ofTool) return namesInInput(input, host.tools);
  const value = subject === 'source' ? toSource(input['source']) : input[subject];
  return typeof value === 'string' ? [value] : undefined;
}

function fieldOf(name: string, input: Fields, event: CodexEvent, host: CodexHost): unknown {
  const given = input[name];
  switch (name) {
    case 'turn_id':
      // A host without turns has one for each session, so that hooks can still tell sessions apart.
      return isText(given) ? given : `turn_${hashOf(['turn', input['session_id']])}`;
    case 'model':
      return isText(given) ? given : isText(input['model_name']) ? input['model_name'] : host.model;
    case 'permission_mode':
      return isText(given) ? given : host.permissionMode;
    case 'tool_name':
      return callOfInput(input, host)?.name;
    case 'tool_input':
      return callOfInput(input, host)?.input;
    case 'tool_use_id':
      return isText(given) ? given : toCallId('call_', input);
    case 'source':
      return toSource(given);
    case 'reason':
      // Codex always sends this reason.
      return 'other';
    case 'last_assistant_message':
      return given ?? input['prompt_response'] ?? null;
    case 'stop_hook_active':
      return given ?? false;
    case 'agent_id':
      return given ?? '';
    case 'agent_transcript_path':
      return event === 'SubagentStop' ? (given ?? null) : given;
    default:
      return given;
  }
}

function toSource(source: unknown): unknown {
  return source === 'compress' ? 'compact' : source;
}
