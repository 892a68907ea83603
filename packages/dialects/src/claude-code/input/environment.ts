import type { HookDefinition, HookEvent } from '@tenterhook/protocol';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import type { ClaudeHost } from '../options.js';
import { dataOf } from '../settings/hook-data.js';
import { factsOf } from './event-table.js';
import { getDataDirectory, getPluginOptions } from './plugin-data.js';

type Environment = Readonly<Record<string, string>>;

/**
 * Creates the environment of a hook process. It is the agent's environment without telemetry variables and without CLAUDE_ENV_FILE.
 * That variable is set if Claude Code started the agent, and its file belongs to that Claude Code. `placeholders` are the variables
 * of the hook.
 */
export function createEnvironment(
  event: HookEvent,
  hook: HookDefinition,
  parent: Environment,
  placeholders: Environment,
  host: ClaudeHost,
): Record<string, string> {
  const inherited = Object.entries(parent).filter(([name]) => !name.startsWith('OTEL_') && name !== 'CLAUDE_ENV_FILE');
  return {
    ...Object.fromEntries(inherited),
    ...dataOf(hook).env,
    ...placeholders,
    ...pluginOptions(hook, host),
    ...getEnvFile(event, hook),
    ...variable('CLAUDE_CODE_SESSION_ID', event.input.session_id),
    ...variable('CLAUDE_EFFORT', getEffort(event)),
  };
}

/** Returns the variables of the hook. They are also replaced in the texts of commands and arguments. */
export function getPlaceholders(
  { projectDir }: HookEvent,
  hook: HookDefinition,
  parent: Environment,
  host: ClaudeHost,
): Record<string, string> {
  return omitUndefined({
    CLAUDE_PROJECT_DIR: projectDir,
    CLAUDE_PLUGIN_ROOT: dataOf(hook).plugin?.root,
    CLAUDE_PLUGIN_DATA: getDataDirectory(hook, parent, host),
  });
}

/** Replaces `${NAME}` for the given variables. Other placeholders stay in the text. */
export function fillIn(text: string, values: Environment): string {
  return text.replace(/\$\{(\w+)\}/g, (written, name: string) => (Object.hasOwn(values, name) ? (values[name] as string) : written));
}

function pluginOptions(hook: HookDefinition, host: ClaudeHost): Record<string, string> {
  const options = Object.entries(getPluginOptions(hook, host)?.options ?? {});
  return Object.fromEntries(options.map(([key, value]) => [`CLAUDE_PLUGIN_OPTION_${toVariableName(key)}`, value]));
}

/**
 * Returns the variable with the path of the event's env file. A hook may append `export` lines to this file, and the agent applies
 * them to later commands.
 */
function getEnvFile({ input }: HookEvent, hook: HookDefinition): Record<string, string> {
  return factsOf(dataOf(hook).event).givesEnvFile ? variable('CLAUDE_ENV_FILE', input['env_file']) : {};
}

function getEffort({ input }: HookEvent): unknown {
  return isPlainObject(input['effort']) ? input['effort']['level'] : undefined;
}

/**
 * Returns a variable with its value. A process could not start with a value that an environment cannot contain, so this value is
 * left out.
 */
function variable(name: string, value: unknown): Record<string, string> {
  return typeof value === 'string' && value !== '' && !value.includes('\0') ? { [name]: value } : {};
}

function toVariableName(key: string): string {
  return key.toUpperCase().replace(/[^A-Z0-9_]/g, '_');
}
