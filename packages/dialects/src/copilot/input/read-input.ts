import type { ReadInput } from '@tenterhook/protocol';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import { toToolResponse, unknownFailure } from '../../shared/tool-response.js';
import { mcpToolsIn } from '../../shared/tools/mcp-tool.js';
import { withHostCall } from '../../shared/tools/tool-call.js';
import type { CopilotHost } from '../options.js';
import { ownNameOf } from '../tools/tool-table.js';
import { type CopilotEvent, eventOfKey } from './event-table.js';

type Fields = Readonly<Record<string, unknown>>;

/** Converts the stdin of a Copilot hook back into canonical fields. Reads both forms, whatever the spelling of the key is. */
export function readInput(key: string, given: Fields, host: CopilotHost): ReadInput {
  const event = eventOfKey(key);
  if (event === undefined) return { input: given, defaults: {} };
  const { sessionId, hookEventName: _name, transcriptPath, timestamp, ...others } = given;
  const common = {
    session_id: given['session_id'] ?? sessionId,
    transcript_path: given['transcript_path'] ?? transcriptPath,
    timestamp: typeof timestamp === 'number' && Number.isFinite(timestamp) ? isoTime(timestamp) : timestamp,
  };
  const input = readFields(event, { ...others, ...omitUndefined(common) }, host);
  return { input: omitUndefined(input), defaults: (defaults as Partial<Record<CopilotEvent, Fields>>)[event] ?? {} };
}

/** The largest number of milliseconds of a date. */
const maxTime = 8.64e15;

function isoTime(time: number): string | undefined {
  return Math.abs(time) > maxTime ? undefined : new Date(time).toISOString();
}

/** Values for fields that Copilot does not send. */
const defaults = {
  preToolUse: { tool_input: {} },
  preMcpToolCall: { tool_input: {} },
  postToolUse: { tool_input: {}, tool_response: {} },
  postToolUseFailure: { tool_input: {}, tool_response: { error: unknownFailure } },
  permissionRequest: { tool_input: {} },
  agentStop: { prompt: '', prompt_response: '', stop_hook_active: false },
  sessionStart: { source: 'startup' },
  sessionEnd: { reason: 'other' },
  notification: { message: '', details: {} },
  subagentStart: { agent_type: '' },
  subagentStop: { agent_type: '', stop_hook_active: false },
} as const satisfies { readonly [Event in CopilotEvent]?: Fields };

function readFields(event: CopilotEvent, input: Fields, host: CopilotHost): Fields {
  switch (event) {
    case 'preToolUse':
    case 'permissionRequest':
      return withCall(input, host);
    case 'preMcpToolCall': {
      const { serverName: server, arguments: given, toolCallId: id, toolName: tool, ...rest } = input;
      const name = tool ?? input['tool_name'];
      const context = input['mcp_context'] ?? { server_name: server ?? 'unknown', tool_name: name };
      return {
        ...rest,
        tool_name: name,
        tool_input: input['tool_input'] ?? given,
        tool_use_id: input['tool_use_id'] ?? id,
        mcp_context: context,
      };
    }
    case 'postToolUse': {
      const { toolResult, tool_result: result = toolResult, ...rest } = input;
      return { ...withCall(rest, host), tool_response: input['tool_response'] ?? readResult(result) };
    }
    case 'postToolUseFailure': {
      const { error, ...rest } = input;
      return { ...withCall(rest, host), tool_response: toToolResponse(input['tool_response'], error) };
    }
    case 'agentStop': {
      const { stopReason, last_assistant_message: answer, ...rest } = input;
      return { ...rest, stop_reason: input['stop_reason'] ?? stopReason, prompt_response: input['prompt_response'] ?? answer };
    }
    case 'sessionStart': {
      const { initialPrompt, ...rest } = input;
      return {
        ...rest,
        initial_prompt: input['initial_prompt'] ?? initialPrompt,
        source: input['source'] === 'new' ? 'startup' : input['source'],
      };
    }
    case 'sessionEnd':
      return { ...input, reason: readReason(input['reason']) };
    case 'preCompact': {
      const { customInstructions, ...rest } = input;
      return { ...rest, custom_instructions: input['custom_instructions'] ?? customInstructions };
    }
    case 'notification':
      return {
        ...input,
        notification_type: input['notification_type'] === 'permission_prompt' ? 'ToolPermission' : input['notification_type'],
      };
    case 'subagentStart':
    case 'subagentStop':
      return readSubagent(input);
    case 'userPromptTransformed': {
      const { transformedPrompt, ...rest } = input;
      return { ...rest, transformed_prompt: input['transformed_prompt'] ?? transformedPrompt };
    }
    case 'errorOccurred': {
      const { errorContext, ...rest } = input;
      return { ...rest, error_context: input['error_context'] ?? errorContext };
    }
    default:
      return input;
  }
}

function readSubagent(input: Fields): Fields {
  const {
    agentName,
    agentType,
    agentId,
    agentDisplayName,
    agentDescription,
    parentAgentId,
    response,
    stopReason,
    agent_name: name,
    ...rest
  } = input;
  return {
    ...rest,
    agent_type: input['agent_type'] ?? agentType ?? agentName ?? name,
    agent_id: input['agent_id'] ?? agentId,
    agent_display_name: input['agent_display_name'] ?? agentDisplayName,
    agent_description: input['agent_description'] ?? agentDescription,
    parent_agent_id: input['parent_agent_id'] ?? parentAgentId,
    last_assistant_message: input['last_assistant_message'] ?? response,
    stop_reason: input['stop_reason'] ?? stopReason,
  };
}

/** Converts a call in either form. The arguments may be JSON in a text. */
function withCall(input: Fields, { tools }: CopilotHost): Fields {
  const { toolName, toolArgs, toolInput, ...rest } = input;
  const name = input['tool_name'] ?? toolName;
  const written = input['tool_input'] ?? toolArgs ?? toolInput;
  const given = typeof written === 'string' ? parsed(written) : written;
  const call = { ...rest, ...(name === undefined ? {} : { tool_name: name }), ...(given === undefined ? {} : { tool_input: given }) };
  if (typeof name !== 'string' || input['mcp_context'] !== undefined) return call;
  const [mcp] = name.startsWith('mcp_') ? mcpToolsIn(name) : [];
  if (mcp !== undefined) return { ...call, mcp_context: { server_name: mcp.server, tool_name: mcp.tool } };
  return withHostCall({ ...call, tool_name: ownNameOf(name) }, tools.toHostCall);
}

function readResult(result: unknown): unknown {
  if (!isPlainObject(result)) return toToolResponse(result);
  const text = result['textResultForLlm'] ?? result['text_result_for_llm'];
  return text === undefined ? result : { llmContent: text };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function readReason(reason: unknown): unknown {
  if (reason === 'user_exit') return 'exit';
  return ['complete', 'error', 'abort', 'timeout'].includes(reason as string) ? 'other' : reason;
}
