import type { ReadInput } from '@tenterhook/protocol';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import { toToolResponse } from '../../shared/tool-response.js';
import { withHostCall } from '../../shared/tools/tool-call.js';
import type { AntigravityHost } from '../options.js';
import { mcpTool } from '../tools/tool-table.js';
import { type AntigravityEvent, isAntigravityEvent } from './event-table.js';
import { hostFields } from './payload.js';

type Fields = Readonly<Record<string, unknown>>;

/** Converts the stdin of an Antigravity hook back into canonical fields. This is the inverse of `payloadOf`. */
export function readInput(event: string, given: Fields, host: AntigravityHost): ReadInput {
  if (!isAntigravityEvent(event)) return { input: given, defaults: {} };
  const { conversationId, transcriptPath, modelName, workspacePaths, toolCall, error, ...others } = given;
  const [folder] = Array.isArray(workspacePaths) ? workspacePaths : [];
  const named = {
    session_id: conversationId,
    transcript_path: transcriptPath,
    model_name: modelName,
    cwd: folder,
    [hostFields.workspacePaths]: workspacePaths,
    ...hostFieldsIn(others),
    ...(event === 'PreToolUse' || event === 'PostToolUse' ? readCall(toolCall, host) : { toolCall }),
    ...(event === 'PostToolUse' ? { tool_response: toToolResponse(undefined, error) } : { error }),
  };
  // Canonical fields stay unchanged, also next to the agent's own fields.
  return { input: omitUndefined({ ...named, ...withoutHostFields(others) }), defaults: defaults[event] };
}

/** Values for fields that Antigravity does not send. */
const defaults: Readonly<Record<AntigravityEvent, Fields>> = {
  PreToolUse: { tool_input: {} },
  // Antigravity also fires the event after steps that are not tool calls.
  PostToolUse: { tool_name: 'unknown', tool_input: {}, tool_response: {} },
  PreInvocation: { llm_request: {} },
  PostInvocation: { llm_request: {}, llm_response: {} },
  Stop: { prompt: '', prompt_response: '', stop_hook_active: false },
  SessionStart: { source: 'startup' },
};

const ownNames = Object.keys(hostFields) as (keyof typeof hostFields)[];

function hostFieldsIn(given: Fields): Fields {
  return Object.fromEntries(ownNames.map((name) => [hostFields[name], given[name]]).filter(([, value]) => value !== undefined));
}

function withoutHostFields(given: Fields): Fields {
  return Object.fromEntries(Object.entries(given).filter(([name]) => !(ownNames as readonly string[]).includes(name)));
}

/** Converts the call of a tool. Between tools, `toolCall` is `null`. */
function readCall(call: unknown, { tools }: AntigravityHost): Fields {
  if (!isPlainObject(call)) return {};
  const { name, args } = call;
  const { ServerName: server, ToolName: tool, Arguments: given } = isPlainObject(args) ? args : {};
  if (name === mcpTool && typeof server === 'string' && typeof tool === 'string')
    return { tool_name: `mcp__${server}__${tool}`, tool_input: given, mcp_context: { server_name: server, tool_name: tool } };
  return withHostCall(omitUndefined({ tool_name: name, tool_input: args }), tools.toHostCall);
}
