import { reportSplitPaths } from '../../shared/lint/unquoted-variables.js';
import type { HandlerContext, ParseOptions } from '../settings/parse-context.js';

/** Variables that guides and early versions mention but Claude Code does not set, each with the stdin field that has its value. */
const neverSet: Readonly<Record<string, string>> = {
  CLAUDE_TOOL_INPUT: '.tool_input',
  CLAUDE_TOOL_NAME: '.tool_name',
  CLAUDE_TOOL_OUTPUT: '.tool_response',
  CLAUDE_FILE_PATH: '.tool_input.file_path',
  CLAUDE_FILE_PATHS: '.tool_input.file_path',
  CLAUDE_NOTIFICATION: '.message',
  CLAUDE_EVENT_TYPE: '.hook_event_name',
};

/** Reports mistakes in the text of a command before a shell runs it. */
export function reportCommand(command: string, context: HandlerContext, { roots, plugin, platform, environment }: ParseOptions): void {
  const directories = { CLAUDE_PROJECT_DIR: roots.projectDir, ...(plugin === undefined ? {} : { CLAUDE_PLUGIN_ROOT: plugin.root }) };
  reportSplitPaths(command, directories, context, platform);
  const { reporter, path, eventName, hookId } = context;
  for (const [, name = ''] of new Map([...command.matchAll(/\$\{?(CLAUDE_[A-Z_]+)/g)].map((match) => [match[1], match[1] ?? '']))) {
    const field = neverSet[name];
    if (field === undefined || Object.hasOwn(environment, name)) continue;
    const message = `$${name} is not a variable that Claude Code sets for hooks; it is empty.`;
    const remedy = `Read it from stdin: jq -r '${field}'.`;
    reporter.report('unset_variable', 'warning', [...path, 'command'], message, { remedy, eventName, hookId });
  }
}
