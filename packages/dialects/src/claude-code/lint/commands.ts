import { reportSplitPaths } from '../../shared/lint/unquoted-variables.js';
import { reportUnsetVariables } from '../../shared/lint/unset-variables.js';
import type { HandlerContext, ParseOptions } from '../settings/parse-context.js';

/** Variables that some guides mention although Claude Code does not set them, with the stdin field that has the value. */
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
 * Variables that Claude Code or its users set. New versions add variables that begin with `CLAUDE_CODE_`, so the pattern covers all
 * of these.
 */
const everSet = /^CLAUDE_(?:CODE_\w+|PLUGIN_OPTION_\w+|PROJECT_DIR|PLUGIN_ROOT|PLUGIN_DATA|ENV_FILE|EFFORT|CONFIG_DIR)$/;

/** Reports mistakes in the text of a command when settings are read, before a shell runs it. */
export function reportCommand(command: string, context: HandlerContext, { roots, plugin, platform, environment }: ParseOptions): void {
  const directories = { CLAUDE_PROJECT_DIR: roots.projectDir, ...(plugin === undefined ? {} : { CLAUDE_PLUGIN_ROOT: plugin.root }) };
  reportSplitPaths(command, directories, context, platform);
  reportUnsetVariables(command, { agent: 'Claude Code', isUnset, fieldOf }, environment, context);
}

const fieldOf = (name: string): string | undefined => (Object.hasOwn(neverSet, name) ? neverSet[name] : undefined);

function isUnset(name: string): boolean {
  return Object.hasOwn(neverSet, name) || (/^CLAUDE_[A-Z]\w*$/.test(name) && !everSet.test(name));
}
