import type { ReadInput } from '@tenterhook/protocol';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import { toToolResponse } from '../../shared/tool-response.js';
import type { EcaHost } from '../options.js';
import { type EcaType, entryOf, typeOf } from './event-table.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Converts the stdin of an ECA hook back into canonical fields. This is the inverse of `invocation`, except that fields about the
 * hook itself are left out.
 */
export function readInput(spelling: string, input: Fields, host: EcaHost): ReadInput {
  const type = typeOf(spelling);
  if (type === undefined) return { input, defaults: {} };
  const { hook_name: _name, hook_type: _type, workspaces: _folders, db_cache_path: _cache, behavior: _same, ...event } = input;
  const { eca_executable: _executable, session_id: cacheKey, chat_id: chat, parent_chat_id: parent, ...fields } = event;
  const { ofTool, ofSubagent, inChat } = entryOf(type);
  const read = readFields(type, ofTool ? withHostCall(fields, host) : fields);
  // A subagent has a chat of its own. The id of this chat becomes `agent_id`, and the id of the chat that started the subagent
  // becomes `session_id`.
  const chats = ofSubagent ? { session_id: parent, agent_id: chat } : { session_id: inChat ? chat : cacheKey };
  return { input: omitUndefined({ ...chats, ...read }), defaults: (defaults as Partial<Record<EcaType, Fields>>)[type] ?? {} };
}

/** Values for fields that ECA does not send. */
const defaults = {
  chatStart: { source: 'startup' },
  chatEnd: { reason: 'other' },
  postRequest: { prompt: '', prompt_response: '', stop_hook_active: false },
  subagentStart: { agent_type: '' },
  subagentPostRequest: { agent_type: '' },
  preCompact: { trigger: 'manual' },
  postCompact: { trigger: 'manual' },
} as const satisfies { readonly [Type in EcaType]?: Fields };

function readFields(type: EcaType, input: Fields): Fields {
  switch (type) {
    case 'chatStart': {
      const { resumed, ...others } = input;
      return { source: resumed === undefined ? undefined : resumed === true ? 'resume' : 'startup', ...others };
    }
    case 'postRequest': {
      const { response, follow_up_active: goesOn, ...others } = input;
      return { prompt_response: response, stop_hook_active: goesOn, ...others };
    }
    case 'subagentStart':
    case 'subagentPostRequest': {
      const { agent, response, follow_up_active: goesOn, ...others } = input;
      return { agent_type: agent, last_assistant_message: response, stop_hook_active: goesOn, ...others };
    }
    case 'preCompact':
    case 'postCompact': {
      const { triggered, ...others } = input;
      return { trigger: triggered, ...others };
    }
    case 'preToolCall':
      return withCallId(input);
    case 'postToolCall': {
      const { error, tool_response: result, ...others } = withCallId(input);
      return { ...others, tool_response: toToolResponse(result, error === true ? 'The tool failed.' : undefined) };
    }
    default:
      return input;
  }
}

function withCallId({ tool_call_id: id, ...input }: Fields): Fields {
  return { tool_use_id: id, ...input };
}

/**
 * Converts the tool call. A tool of the host gets the host's name and keys. A tool of another server keeps its name and keys, and
 * the server becomes its MCP context.
 */
function withHostCall({ server, ...input }: Fields, host: EcaHost): Fields {
  const { tool_name: name, tool_input: given } = input;
  if (typeof name !== 'string') return input;
  if (typeof server === 'string' && server !== host.server) return { mcp_context: { server_name: server }, ...input };
  const call = host.tools.toHostCall(name, isPlainObject(given) ? given : {});
  return { ...input, tool_name: call.name, ...(isPlainObject(given) ? { tool_input: call.input } : {}) };
}
