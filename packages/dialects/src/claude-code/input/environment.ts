import type { HookDefinition, HookEvent } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import type { ClaudeHost } from '../options.js';
import { dataOf } from '../settings/hook-data.js';
import { factsOf } from './event-table.js';

type Environment = Readonly<Record<string, string>>;

/** The environment of a hook. Telemetry of the agent is not the hook's, and a file of an agent around us is not ours to hand on. */
export function environmentOf(event: HookEvent, hook: HookDefinition, parent: Environment, host: ClaudeHost): Record<string, string> {
  const inherited = Object.entries(parent).filter(([name]) => !name.startsWith('OTEL_') && name !== 'CLAUDE_ENV_FILE');
  return {
    ...Object.fromEntries(inherited),
    ...dataOf(hook).env,
    ...placeholdersOf(event, hook),
    ...pluginVariables(hook, host),
    ...envFile(event, hook),
    ...variable('CLAUDE_CODE_SESSION_ID', event.input.session_id),
    ...variable('CLAUDE_EFFORT', effortOf(event)),
  };
}

/** Variables that stand in commands and arguments as well. */
export function placeholdersOf({ projectDir }: HookEvent, hook: HookDefinition): Record<string, string> {
  const { plugin } = dataOf(hook);
  return { CLAUDE_PROJECT_DIR: projectDir, ...(plugin === undefined ? {} : { CLAUDE_PLUGIN_ROOT: plugin.root }) };
}

/** `${NAME}` of the variables that are known; anything else is the program's own. */
export function filledIn(text: string, values: Environment): string {
  return text.replace(/\$\{(\w+)\}/g, (written, name: string) => (Object.hasOwn(values, name) ? (values[name] as string) : written));
}

function pluginVariables(hook: HookDefinition, { plugins }: ClaudeHost): Record<string, string> {
  const name = dataOf(hook).plugin?.name;
  const known = name !== undefined && Object.hasOwn(plugins, name) ? plugins[name] : undefined;
  const options = Object.entries(known?.options ?? {}).map(([key, value]) => [`CLAUDE_PLUGIN_OPTION_${variableName(key)}`, value]);
  return { ...(known?.dataDirectory === undefined ? {} : { CLAUDE_PLUGIN_DATA: known.dataDirectory }), ...Object.fromEntries(options) };
}

/** A hook may append `export` lines to it, for commands that the agent runs later. The agent says where it is. */
function envFile({ input }: HookEvent, hook: HookDefinition): Record<string, string> {
  return factsOf(dataOf(hook).event).givesEnvFile ? variable('CLAUDE_ENV_FILE', input['env_file']) : {};
}

function effortOf({ input }: HookEvent): unknown {
  return isPlainObject(input['effort']) ? input['effort']['level'] : undefined;
}

/** What an environment cannot hold would keep the hook from being started. */
function variable(name: string, value: unknown): Record<string, string> {
  return typeof value === 'string' && value !== '' && !value.includes('\0') ? { [name]: value } : {};
}

function variableName(key: string): string {
  return key.toUpperCase().replace(/[^A-Z0-9_]/g, '_');
}
