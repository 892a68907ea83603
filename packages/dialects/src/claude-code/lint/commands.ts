import { reportSplitPaths } from '../../shared/lint/unquoted-variables.js';
import type { HandlerContext } from '../handlers/handler-context.js';
import type { ParseOptions } from '../settings/parse-context.js';

/** Variables that guides and early versions tell of, and what holds their value. */
const neverSet: Readonly<Record<string, string>> = {
  CLAUDE_TOOL_INPUT: '.tool_input',
  CLAUDE_TOOL_NAME: '.tool_name',
  CLAUDE_TOOL_OUTPUT: '.tool_response',
  CLAUDE_FILE_PATH: '.tool_input.file_path',
  CLAUDE_FILE_PATHS: '.tool_input.file_path',
  CLAUDE_NOTIFICATION: '.message',
  CLAUDE_EVENT_TYPE: '.hook_event_name',
};

/** What will go wrong with a command once a shell has it, and can be told before. */
export function remarkOnCommand(command: string, context: HandlerContext, { roots, plugin, platform, environment }: ParseOptions): void {
  if (platform !== 'win32') {
    const directories = { CLAUDE_PROJECT_DIR: roots.projectDir, ...(plugin === undefined ? {} : { CLAUDE_PLUGIN_ROOT: plugin.root }) };
    reportSplitPaths(command, directories, context);
  }
  const { reporter, path, eventName, hookId } = context;
  for (const [, name = ''] of new Map([...command.matchAll(/\$\{?(CLAUDE_[A-Z_]+)/g)].map((match) => [match[1], match[1] ?? '']))) {
    const field = neverSet[name];
    if (field === undefined || Object.hasOwn(environment, name)) continue;
    const message = `$${name} is a variable that no hook of Claude Code is given; it is empty.`;
    const remedy = `Read it from stdin: jq -r '${field}'.`;
    reporter.report('unset_variable', 'warning', [...path, 'command'], message, { remedy, eventName, hookId });
  }
}
