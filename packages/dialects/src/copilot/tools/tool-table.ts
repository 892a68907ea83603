import { isPlainObject } from '@tenterhook/runtime/json';
import { isText } from '../../shared/text.js';
import type { OtherTool, OtherTools } from '../../shared/tools/other-tools.js';
import type { ToolTable } from '../../shared/tools/tool-table.js';

/** Copilot's own names for each kind of tool, and the keys of their arguments, where they are known. */
export const copilotTools: ToolTable = {
  shell: { names: ['bash', 'powershell'], keys: { command: ['command'], description: ['description'] } },
  read: { names: ['view'], keys: { file: ['path'] } },
  'read-many': { names: ['view'] },
  write: { names: ['create'], keys: { file: ['path'], content: ['file_text'] } },
  edit: {
    names: ['edit', 'str_replace_editor', 'apply_patch'],
    keys: { file: ['path'], 'old-text': ['old_str'], 'new-text': ['new_str'] },
  },
  find: { names: ['glob'] },
  search: { names: ['grep', 'rg'] },
  fetch: { names: ['web_fetch'] },
  'web-search': { names: ['web_search'] },
  subagent: { names: ['task'] },
  question: { names: ['ask_user'] },
};

const file = { filePath: 'file_path' };
const replacement: OtherTool = { as: 'replace', keys: { ...file, oldString: 'old_string', newString: 'new_string' } };

/** Other names of Copilot's tools, and tools of VS Code, which calls the hooks of Copilot with its own names and keys. */
export const otherTools: OtherTools = {
  powershell: 'run_shell_command',
  str_replace_editor: { as: 'replace', keys: { path: 'file_path', old_str: 'old_string', new_str: 'new_string', file_text: 'content' } },
  rg: 'grep_search',
  run_in_terminal: { as: 'run_shell_command', keys: { explanation: 'description', isBackground: 'is_background' } },
  send_to_terminal: 'run_shell_command',
  read_file: { as: 'read_file', keys: file },
  create_file: { as: 'write_file', keys: file },
  replace_string_in_file: replacement,
  insert_edit_into_file: { as: 'replace', keys: { ...file, code: 'new_string' } },
  edit_notebook_file: { as: 'replace', keys: { ...file, newCode: 'new_string' } },
  // Each entry of the lists of these tools is a call of its own.
  multi_replace_string_in_file: replacement,
  editFiles: { as: 'replace', keys: file },
  fetch_webpage: 'web_fetch',
  create_and_run_task: { as: 'run_shell_command', derived: commandOfTask },
  list_dir: 'list_directory',
};

function commandOfTask({ task }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { command, args }: Readonly<Record<string, unknown>> = isPlainObject(task) ? task : {};
  return { command: [command, ...(Array.isArray(args) ? args : [])].filter(isText).join(' ') };
}

/** Claude Code's names for tools of Copilot. Hooks receive the first name if the key of their event begins with a capital letter. */
const claudeNames: Readonly<Record<string, readonly [string, ...string[]]>> = {
  bash: ['Bash'],
  powershell: ['Bash'],
  view: ['Read'],
  create: ['Write'],
  edit: ['Edit'],
  str_replace_editor: ['Edit'],
  apply_patch: ['Edit'],
  glob: ['Glob'],
  grep: ['Grep'],
  rg: ['Grep'],
  web_fetch: ['WebFetch'],
  web_search: ['WebSearch'],
  task: ['Agent', 'Task'],
  ask_user: ['AskUserQuestion'],
};

/** Returns Claude Code's names for a tool of Copilot. A tool without such a name keeps its own. */
export function claudeNamesOf(name: string): readonly [string, ...string[]] {
  return (Object.hasOwn(claudeNames, name) ? claudeNames[name] : undefined) ?? [name];
}

/** Returns Copilot's name for a tool that is called as in Claude Code. Any other name stays the same. */
export function ownNameOf(name: string): string {
  return Object.entries(claudeNames).find(([, names]) => names.includes(name))?.[0] ?? name;
}

/** Every name that a matcher may use for one of Copilot's own tools. */
export const knownToolNames: readonly string[] = [...new Set(Object.entries(claudeNames).flatMap(([own, names]) => [own, ...names]))];

/** The same tools under Claude Code's names, for matchers of events whose keys begin with a capital letter. */
export const copilotToolsAsClaude: ToolTable = Object.fromEntries(
  Object.entries(copilotTools).map(([kind, entry]) => [kind, { ...entry, names: claudeNamesOf(entry.names[0]) }]),
);
