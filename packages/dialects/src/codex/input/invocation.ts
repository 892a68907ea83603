import type { HookDefinition, HookEvent, Invocation } from '@tenterhook/protocol';
import { omitUndefined } from '@tenterhook/runtime/json';
import { refusedCall } from '../../shared/tools/tool-call.js';
import type { CodexHost } from '../options.js';
import { dataOf } from '../settings/hook-data.js';
import { callOfInput } from '../tools/tool-call.js';
import { factsOf } from './event-table.js';
import { payloadOf } from './payload.js';

/** Returns what to run or call for a hook, with the event in Codex's format. */
export function invocation(
  event: HookEvent,
  hook: HookDefinition,
  environment: Readonly<Record<string, string>>,
  host: CodexHost,
): Invocation {
  const { event: name, runs } = dataOf(hook);
  const isBefore = factsOf(name).ofTool && event.input['tool_response'] === undefined;
  const refused = isBefore ? refusedCall(callOfInput(event.input, host)) : undefined;
  if (refused !== undefined) return refused;
  const payload = payloadOf(event, name, host);
  if (runs.kind === 'host') return { kind: 'host', type: runs.type, data: runs.data, input: payload };
  const plugin = pluginVariables(hook, host);
  return {
    kind: 'command',
    command: { kind: 'shell', text: runs.text },
    cwd: event.input.cwd,
    env: { ...environment, ...plugin },
    stdin: JSON.stringify(payload),
    ...(plugin.PLUGIN_DATA === undefined ? {} : { directories: [plugin.PLUGIN_DATA] }),
  };
}

/** Returns the variables of a plugin's hook, also under the names that Claude Code gives them. */
function pluginVariables(hook: HookDefinition, { plugins }: CodexHost): { readonly PLUGIN_DATA?: string; readonly [name: string]: string } {
  const { plugin } = dataOf(hook);
  if (plugin === undefined) return {};
  const { root, name } = plugin;
  const data = name !== undefined && Object.hasOwn(plugins, name) ? plugins[name]?.dataDirectory : undefined;
  return omitUndefined({ PLUGIN_ROOT: root, CLAUDE_PLUGIN_ROOT: root, PLUGIN_DATA: data, CLAUDE_PLUGIN_DATA: data });
}
