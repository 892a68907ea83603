import { eventEntry, type HookEvent } from '@tenterhook/protocol';
import { hasFailed } from '@tenterhook/protocol/internal';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import { loopCountOf } from '../../shared/input.js';
import { isText } from '../../shared/text.js';
import { failureText } from '../../shared/tool-response.js';
import type { AntigravityHost } from '../options.js';
import { callOfInput } from '../tools/tool-call.js';
import type { AntigravityEvent } from './event-table.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * The fields of a host that hooks receive under other names. Agents that have no such facts leave them out, and hooks then receive what can be
 * derived from the rest of the event.
 */
export const hostFields = {
  artifactDirectoryPath: 'artifact_directory_path',
  workspacePaths: 'workspace_roots',
  stepIdx: 'step_index',
  invocationNum: 'invocation_num',
  initialNumSteps: 'initial_num_steps',
  executionNum: 'execution_num',
  terminationReason: 'termination_reason',
  fullyIdle: 'fully_idle',
} as const;

/** Canonical fields, and fields of hosts, that hooks do not receive under these names. */
const notSent: ReadonlySet<string> = new Set([
  ...Object.values(hostFields),
  'model_name',
  'model_provider',
  'permission_mode',
  'tool_use_id',
  'turn_id',
  'stop_reason',
  'error',
]);

/** Returns the fields of this event, without the fields that every event has. Further fields of a host are passed on. */
export function writeFields(hookEvent: HookEvent, event: AntigravityEvent, host: AntigravityHost): Fields {
  const { input, eventName } = hookEvent;
  const canonical = eventEntry(eventName).input.shape;
  const more = Object.entries(input).filter(([name]) => !Object.hasOwn(canonical, name) && !notSent.has(name));
  return { ...Object.fromEntries(more), ...omitUndefined(ownFields(input, event, host)) };
}

function ownFields(input: Fields, event: AntigravityEvent, host: AntigravityHost): Fields {
  switch (event) {
    case 'PreToolUse':
      return callFields(input, host);
    case 'PostToolUse':
      return { ...callFields(input, host), error: hasFailed(input['tool_response']) ? failureText(input['tool_response']) : '' };
    case 'PreInvocation':
    case 'PostInvocation':
      return {
        invocationNum: input[hostFields.invocationNum] ?? countCalls(input),
        initialNumSteps: input[hostFields.initialNumSteps] ?? messagesIn(input).length,
      };
    case 'Stop':
      return {
        executionNum: input[hostFields.executionNum] ?? loopCountOf(input),
        terminationReason: input[hostFields.terminationReason] ?? 'NO_TOOL_CALL',
        error: isText(input['error']) ? input['error'] : '',
        fullyIdle: input[hostFields.fullyIdle] ?? true,
      };
    case 'SessionStart':
      return {};
  }
}

function callFields(input: Fields, host: AntigravityHost): Fields {
  const call = callOfInput(input, host);
  return {
    toolCall: call === undefined ? undefined : { name: call.name, args: call.input },
    stepIdx: input[hostFields.stepIdx] ?? 0,
  };
}

/** Counts the calls of the model since the last prompt. In Antigravity, the first call for a prompt has the number 0. */
function countCalls(input: Fields): number {
  const roles = messagesIn(input).map((message) => (isPlainObject(message) ? message['role'] : undefined));
  return roles.slice(roles.lastIndexOf('user') + 1).filter((role) => role === 'model').length;
}

function messagesIn({ llm_request: request }: Fields): readonly unknown[] {
  const messages = isPlainObject(request) ? request['messages'] : undefined;
  return Array.isArray(messages) ? messages : [];
}
