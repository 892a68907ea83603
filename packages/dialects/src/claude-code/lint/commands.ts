import { reportSplitPaths } from '../../shared/lint/unquoted-variables.js';
import type { HandlerContext, ParseOptions } from '../settings/parse-context.js';

/** Variables that some guides mention but Claude Code does not set, each with the stdin field that has the value. */
const neverSet: Readonly<Record<string, string>> = {
  CLAUDE_TOOL_INPUT: '.tool_input',
  CLAUDE_TOOL_NAME: '.tool_name',
  CLAUDE_TOOL_OUTPUT: '.tool_response',
  CLAUDE_TOOL_FILE_PATH: '.tool_input.file_path',
  CLAUDE_TOOL_INPUT_FILE_PATH: '.tool_input.file_path',
  CLAUDE_FILE_PATH: '.tool_input.file_path',
  CLAUDE_FILE_PATHS: '.tool_input.file_path',
  CLAUDE_NOTIFICATION: '.message',
  CLAUDE_EVENT_TYPE: '.hook_event_name',
  CLAUDE_SESSION_ID: '.session_id',
  TOOL_NAME: '.tool_name',
  TOOL_INPUT: '.tool_input',
  TOOL_OUTPUT: '.tool_response',
  TOOL_RESPONSE: '.tool_response',
};

/**
 * Variables that Claude Code sets, or that its users set for it. The pattern covers all that begin with `CLAUDE_CODE_`, because every
 * version adds some.
 */
const everSet = /^CLAUDE_(?:CODE_\w+|PLUGIN_OPTION_\w+|PROJECT_DIR|PLUGIN_ROOT|PLUGIN_DATA|ENV_FILE|EFFORT|CONFIG_DIR)$/;

/** Reports mistakes in the text of a command before a shell runs it. */
export function reportCommand(command: string, context: HandlerContext, { roots, plugin, platform, environment }: ParseOptions): void {
  const directories = { CLAUDE_PROJECT_DIR: roots.projectDir, ...(plugin === undefined ? {} : { CLAUDE_PLUGIN_ROOT: plugin.root }) };
  reportSplitPaths(command, directories, context, platform);
  const { reporter, path, eventName, hookId } = context;
  for (const name of unsetVariables(command, environment)) {
    const field = Object.hasOwn(neverSet, name) ? neverSet[name] : undefined;
    const message = `$${name} is not a variable that Claude Code sets for hooks; it is empty.`;
    const remedy =
      field === undefined
        ? 'Read the fields of the event from stdin, or set the variable in "env" of the settings.'
        : `Read it from stdin: jq -r '${field}'.`;
    reporter.report('unset_variable', 'warning', [...path, 'command'], message, { remedy, eventName, hookId });
  }
}

/**
 * Returns the variables in a command that look like data of Claude Code but are never set. Leaves out variables that the command sets
 * itself. Also leaves out `${NAME:-…}`, because the default shows that the author expects the variable to be empty.
 */
function unsetVariables(command: string, environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  const names = [...command.matchAll(/\$(?:\{(\w+)\}|(\w+))/g)].map(([, braced, bare]) => braced ?? bare ?? '');
  return [...new Set(names)].filter((name) => {
    const isMeant = Object.hasOwn(neverSet, name) || (/^CLAUDE_[A-Z]\w*$/.test(name) && !everSet.test(name));
    return isMeant && !Object.hasOwn(environment, name) && !setsVariable(command, name);
  });
}

function setsVariable(command: string, name: string): boolean {
  return new RegExp(`(?:^|[\\s;&|(])(?:${name}\\+?=|(?:read|for|export|local|declare)\\s[^;&|\\n]*\\b${name}\\b)`).test(command);
}
