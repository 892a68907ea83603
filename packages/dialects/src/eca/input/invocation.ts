import type { HookDefinition, HookEvent, Invocation } from '@tenterhook/protocol';
import { hasFailed } from '@tenterhook/protocol/internal';
import type { EcaHost } from '../options.js';
import { dataOf } from '../settings/hook-data.js';
import { rivalsIn, toEcaKeys, toolOfInput } from '../tools.js';
import { type EcaType, entryOf } from './event-table.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns the command of an action. It reads the event in ECA's format on stdin. It runs in the first workspace folder, with the
 * environment of the host.
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
  return { kind: 'command', command, cwd: cwd as string, env: environment, stdin: JSON.stringify(toStdinFields(event, hook, host)) };
}

/** Returns the object that the hook reads on stdin. */
export function toStdinFields(event: HookEvent, hook: HookDefinition, host: EcaHost): Fields {
  const { type } = dataOf(hook);
  return {
    hook_name: hook.name,
    hook_type: type,
    workspaces: workspacesOf(event, host),
    db_cache_path: host.dbCachePath,
    ...(entryOf(type).inChat ? chatFields(event.input, host) : {}),
    ...writeFields(type, event.input, host),
  };
}

function workspacesOf({ projectDir }: HookEvent, { workspaces }: EcaHost): readonly string[] {
  return workspaces ?? [projectDir];
}

function chatFields(input: Fields, { agent: defaultAgent }: EcaHost): Fields {
  const agent = typeof input['agent'] === 'string' ? input['agent'] : defaultAgent;
  return { chat_id: input['session_id'], agent, behavior: agent };
}

/**
 * Returns the fields of the event, without those that every event has. Keys at the top level are in snake_case. Keys inside of values are
 * those of the host.
 */
export function writeFields(type: EcaType, input: Fields, host: EcaHost): Fields {
  switch (type) {
    case 'chatStart':
      return { resumed: input['source'] === 'resume' || input['source'] === 'fork' };
    case 'preRequest':
      return { prompt: input['prompt'] };
    case 'postRequest':
      return { prompt: input['prompt'], response: input['prompt_response'] };
    case 'preToolCall':
      // The default is "ask": a host that sends no value asks the user about every call (decision 60).
      return { ...toolFields(input, host), approval: input['approval'] ?? 'ask' };
    case 'postToolCall':
      return { ...toolFields(input, host), tool_response: input['tool_response'], error: hasFailed(input['tool_response']) };
    default:
      return {};
  }
}

function toolFields(input: Fields, host: EcaHost): Fields {
  const tool = toolOfInput(input, host);
  return { tool_name: tool?.name, server: tool?.server, tool_input: toEcaKeys(input, host) };
}
