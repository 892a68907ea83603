import type { HookDefinition, HookEvent, Invocation } from '@tenterhook/protocol';
import { hasFailed } from '@tenterhook/protocol/internal';
import { omitUndefined } from '@tenterhook/runtime/json';
import { withSlashes } from '../../shared/paths.js';
import type { EcaHost } from '../options.js';
import { dataOf } from '../settings/hook-data.js';
import { rivalsIn, toEcaKeys, toolOfInput } from '../tools.js';
import { type EcaType, entryOf } from './event-table.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns the command of an action. The command reads the event in ECA's format on stdin. It runs in the first workspace folder,
 * with the environment of the host.
 */
export function invocation(
  event: HookEvent,
  hook: HookDefinition,
  environment: Readonly<Record<string, string>>,
  host: EcaHost,
): Invocation {
  const { type, command } = dataOf(hook);
  const rivals = type === 'preToolCall' ? rivalsIn(event.input, host) : undefined;
  if (rivals !== undefined) {
    const [one, other] = rivals.map((key) => JSON.stringify(key));
    return {
      kind: 'refused',
      reason: `${one} and ${other} name different files or commands, and the tool may read either. Pass only one of them.`,
    };
  }
  const [cwd] = workspacesOf(event, host);
  const env = host.executable === '' ? environment : { ...environment, ECA_EXECUTABLE: host.executable };
  return { kind: 'command', command, cwd: cwd as string, env, stdin: JSON.stringify(toStdinFields(event, hook, host)) };
}

/** Returns the object that the hook reads on stdin. */
export function toStdinFields(event: HookEvent, hook: HookDefinition, host: EcaHost): Fields {
  const { type } = dataOf(hook);
  const workspaces = workspacesOf(event, host);
  return {
    hook_name: hook.name,
    hook_type: type,
    workspaces,
    cwd: workspaces[0],
    db_cache_path: host.dbCachePath,
    session_id: cacheKey(host.dbCachePath) ?? event.input['session_id'],
    eca_executable: host.executable,
    ...(entryOf(type).inChat ? chatFields(type, event.input, host) : {}),
    ...writeFields(type, event.input, host),
  };
}

function workspacesOf({ projectDir }: HookEvent, { workspaces }: EcaHost): readonly string[] {
  return workspaces ?? [projectDir];
}

/** Returns ECA's `session_id`, which is the name of the folder of the cache file. Returns undefined if the host has no cache file. */
function cacheKey(path: string): string | undefined {
  return path === '' ? undefined : withSlashes(path).split('/').at(-2) || undefined;
}

/**
 * Returns the fields of a chat. A subagent has a chat of its own, and the parent of this chat is the session. `full_model` and
 * `variant` are left out if the event does not have them.
 */
function chatFields(type: EcaType, input: Fields, { agent: defaultAgent }: EcaHost): Fields {
  const { session_id: session, agent_id: subagent, model_provider: provider, model_name: model } = input;
  const ofSubagent = entryOf(type).ofSubagent === true;
  const agent = [ofSubagent ? input['agent_type'] : undefined, input['agent']].find((name) => typeof name === 'string') ?? defaultAgent;
  const named = typeof provider === 'string' && typeof model === 'string' ? `${provider}/${model}` : undefined;
  return omitUndefined({
    chat_id: ofSubagent && typeof subagent === 'string' ? subagent : session,
    ...(ofSubagent ? { parent_chat_id: session } : {}),
    agent,
    behavior: agent,
    full_model: typeof input['full_model'] === 'string' ? input['full_model'] : named,
    variant: typeof input['variant'] === 'string' ? input['variant'] : undefined,
  });
}

/** Returns the fields that only this event has. Keys at the top level are in snake_case. Keys inside values are unchanged. */
export function writeFields(type: EcaType, input: Fields, host: EcaHost): Fields {
  switch (type) {
    case 'chatStart':
      return { resumed: input['source'] === 'resume' || input['source'] === 'fork' };
    case 'preRequest':
      return { prompt: input['prompt'] };
    case 'postRequest':
      return { prompt: input['prompt'], response: input['prompt_response'], follow_up_active: input['stop_hook_active'] === true };
    case 'subagentPostRequest':
      return { response: input['last_assistant_message'], follow_up_active: input['stop_hook_active'] === true };
    case 'preCompact':
      return { triggered: input['trigger'], custom_instructions: input['custom_instructions'] ?? '' };
    case 'postCompact':
      return { triggered: input['trigger'], compact_summary: input['compact_summary'] };
    case 'preToolCall':
      // A host that sends no value asks the user about every call (decision 60).
      return { ...toolFields(input, host), approval: input['approval'] ?? 'ask' };
    case 'postToolCall':
      return { ...toolFields(input, host), tool_response: input['tool_response'], error: hasFailed(input['tool_response']) };
    default:
      return {};
  }
}

function toolFields(input: Fields, host: EcaHost): Fields {
  const tool = toolOfInput(input, host);
  const id = input['tool_use_id'];
  return {
    tool_name: tool?.name,
    server: tool?.server,
    tool_input: toEcaKeys(input, host),
    ...(id === undefined ? {} : { tool_call_id: id }),
  };
}
