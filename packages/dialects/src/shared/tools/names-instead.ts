import { canonicalTools } from './canonical-tools.js';
import type { ToolEntry, ToolKind, ToolTable } from './tool-table.js';

/**
 * Names that users may copy into matchers: display names of tools, and tool names of agents other than LLxprt Code and Gemini CLI.
 */
const namesOfOthers: Readonly<Partial<Record<ToolKind, readonly string[]>>> = {
  shell: [
    'Bash',
    'PowerShell',
    'Shell',
    'run_command',
    'run_terminal_cmd',
    'run_in_terminal',
    'execute_command',
    'execute_bash',
    'exec_command',
    'shell_command',
  ],
  read: ['Read', 'View', 'view_file', 'fs_read', 'NotebookRead'],
  write: ['Write', 'create_file', 'write_to_file', 'fs_write'],
  edit: ['Edit', 'MultiEdit', 'edit_file', 'apply_patch', 'apply_diff', 'search_replace', 'str_replace', 'NotebookEdit'],
  find: ['find_files', 'file_search'],
  search: ['Grep', 'SearchText', 'codebase_search'],
  list: ['LS', 'ReadFolder', 'directory_tree'],
  fetch: ['WebFetch'],
  'web-search': ['WebSearch', 'GoogleSearch'],
  subagent: ['Task', 'Agent', 'spawn_agent'],
  question: ['AskUserQuestion'],
};

/** The kind of tool by canonical name, and by the names in `namesOfOthers`. Case and separators are ignored. */
const kinds: ReadonlyMap<string, ToolKind> = new Map(
  (Object.keys(canonicalTools) as ToolKind[]).flatMap((kind) =>
    [...(canonicalTools[kind] as ToolEntry).names, ...(namesOfOthers[kind] ?? [])].map((name) => [letters(name), kind]),
  ),
);

/**
 * Returns an agent's names for a tool. `name` may be misspelt, or be another agent's name for the tool. `own` are the agent's
 * tools, and `known` are all its tool names. Returns an empty list if `name` is correct or unknown.
 */
export function namesInstead(name: string, own: ToolTable, known: readonly string[]): readonly string[] {
  if (known.includes(name)) return [];
  const respelled = known.find((candidate) => letters(candidate) === letters(name));
  if (respelled !== undefined) return [respelled];
  const kind = kinds.get(letters(name));
  return kind === undefined ? [] : (own[kind]?.names ?? []);
}

/**
 * Returns the canonical name of a tool that any known agent has under this name. Case and separators are ignored. Returns undefined if the
 * name is unknown, or if it is the canonical name.
 */
export function canonicalNameOf(name: string): string | undefined {
  const kind = kinds.get(letters(name));
  const canonical = kind === undefined ? undefined : canonicalTools[kind]?.names[0];
  return canonical === name ? undefined : canonical;
}

function letters(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '');
}
