import type { ReadInput } from '@tenterhook/protocol';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import { toToolResponse, unknownFailure } from '../../shared/tool-response.js';
import { withHostCall } from '../../shared/tools/tool-call.js';
import type { CursorHost } from '../options.js';
import { type CursorEvent, isCursorEvent } from './event-table.js';

type Fields = Readonly<Record<string, unknown>>;

/** Converts the stdin of a Cursor hook back into canonical fields. This is the inverse of `payloadOf`. */
export function readInput(event: string, given: Fields, host: CursorHost): ReadInput {
  if (!isCursorEvent(event)) return { input: given, defaults: {} };
  const { conversation_id: conversation, generation_id: turn, transcript_path: transcript, workspace_roots: roots, ...others } = given;
  const [root] = Array.isArray(roots) ? roots : [];
  const common = {
    session_id: given['session_id'] ?? conversation,
    turn_id: given['turn_id'] ?? turn,
    cwd: given['cwd'] ?? root,
    transcript_path: transcript === null ? '' : transcript,
    workspace_roots: roots,
  };
  const input = readFields(event, { ...others, ...omitUndefined(common) }, host);
  return { input: omitUndefined(input), defaults: (defaults as Partial<Record<CursorEvent, Fields>>)[event] ?? {} };
}

/** Values for fields that Cursor does not send. */
const defaults = {
  beforeShellExecution: { tool_name: 'run_shell_command', tool_input: {} },
  beforeMCPExecution: { tool_input: {} },
  beforeReadFile: { tool_name: 'read_file', tool_input: {} },
  postToolUseFailure: { tool_response: { error: unknownFailure } },
  afterShellExecution: { tool_name: 'run_shell_command', tool_input: {}, tool_response: {} },
  afterMCPExecution: { tool_input: {}, tool_response: {} },
  afterFileEdit: { tool_name: 'replace', tool_input: {}, tool_response: {} },
  stop: { prompt: '', prompt_response: '', stop_hook_active: false },
  afterAgentResponse: { llm_request: {}, llm_response: { text: '' } },
  sessionStart: { source: 'startup' },
  sessionEnd: { reason: 'other' },
  subagentStart: { agent_id: '', agent_type: '' },
  subagentStop: { agent_id: '', agent_type: '', stop_hook_active: false },
} as const satisfies { readonly [Event in CursorEvent]?: Fields };

function readFields(event: CursorEvent, input: Fields, host: CursorHost): Fields {
  switch (event) {
    case 'preToolUse':
      return withCall(input, host);
    case 'postToolUse': {
      const { tool_output: output, duration, ...others } = input;
      return {
        ...withCall(others, host),
        tool_response: input['tool_response'] ?? readOutput(output),
        duration_ms: input['duration_ms'] ?? duration,
      };
    }
    case 'postToolUseFailure': {
      const { error_message: error, duration, ...others } = input;
      const response = toToolResponse(input['tool_response'], error);
      return { ...withCall(others, host), tool_response: response, duration_ms: input['duration_ms'] ?? duration };
    }
    case 'beforeShellExecution':
    case 'afterShellExecution': {
      const { command, output, duration, ...others } = input;
      const result = event === 'afterShellExecution' ? { tool_response: input['tool_response'] ?? toToolResponse(output) } : {};
      const call = command === undefined ? {} : { tool_name: 'run_shell_command', tool_input: { command } };
      return { ...others, ...call, ...result, duration_ms: input['duration_ms'] ?? duration };
    }
    case 'beforeMCPExecution':
    case 'afterMCPExecution':
      return readMcpCall(event, input);
    case 'beforeReadFile': {
      const { file_path: file, ...others } = input;
      return file === undefined ? input : { ...others, tool_name: 'read_file', tool_input: { file_path: file } };
    }
    case 'afterFileEdit': {
      // The arguments have one edit only, so the list stays beside them.
      const { file_path: file, ...others } = input;
      if (file === undefined) return input;
      const [edit] = Array.isArray(input['edits']) ? input['edits'] : [];
      return { ...others, tool_name: 'replace', tool_input: { file_path: file, ...(isPlainObject(edit) ? edit : {}) }, tool_response: {} };
    }
    case 'stop':
    case 'subagentStop': {
      const { subagent_type: type, summary, ...others } = input;
      const count = input['loop_count'];
      const named = event === 'stop' ? {} : { agent_type: input['agent_type'] ?? type, last_assistant_message: summary };
      return { ...others, ...named, ...(typeof count === 'number' ? { stop_hook_active: count > 0 } : {}) };
    }
    case 'subagentStart': {
      const { subagent_id: id, subagent_type: type, ...others } = input;
      return { ...others, agent_id: input['agent_id'] ?? id, agent_type: input['agent_type'] ?? type };
    }
    case 'afterAgentResponse': {
      const { text, ...others } = input;
      return text === undefined ? input : { ...others, llm_response: { text } };
    }
    case 'sessionEnd':
      return { ...input, reason: readReason(input['reason']) };
    default:
      return input;
  }
}

function withCall(input: Fields, { tools }: CursorHost): Fields {
  const { tool_name: name, tool_input: given } = input;
  const mcp = typeof name === 'string' && name.startsWith('MCP:') ? name.slice('MCP:'.length) : undefined;
  if (mcp !== undefined)
    return { ...input, tool_name: mcp, mcp_context: input['mcp_context'] ?? { server_name: 'unknown', tool_name: mcp } };
  // Cursor's tool `Write` also changes files.
  if (name === 'Write' && isPlainObject(given) && given['old_string'] !== undefined) return { ...input, tool_name: 'replace' };
  return withHostCall(input, tools.toHostCall);
}

function readMcpCall(event: CursorEvent, input: Fields): Fields {
  const { mcp_server_name: server, url, command, tool_input: given, result_json: result, duration, ...others } = input;
  const { tool_name: tool } = input;
  const context = { server_name: server ?? 'unknown', tool_name: tool, ...omitUndefined({ url, command }) };
  const response = event === 'afterMCPExecution' ? { tool_response: input['tool_response'] ?? toToolResponse(parsed(result)) } : {};
  return {
    ...others,
    mcp_context: input['mcp_context'] ?? context,
    tool_input: parsed(given),
    ...response,
    duration_ms: input['duration_ms'] ?? duration,
  };
}

/** Reads the result of a tool, which Cursor passes as JSON in a text. */
function readOutput(output: unknown): unknown {
  const value = parsed(output);
  if (isPlainObject(value) && typeof value['output'] === 'string' && 'exitCode' in value)
    return { llmContent: value['output'], exit_code: value['exitCode'] };
  return toToolResponse(value) ?? {};
}

function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function readReason(reason: unknown): unknown {
  if (reason === 'user_close') return 'exit';
  return ['completed', 'aborted', 'error', 'window_close'].includes(reason as string) ? 'other' : reason;
}
