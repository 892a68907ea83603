import type { EventContext } from '../../shared/groups/group-format.js';
import { formatValue } from '../../shared/settings/format-value.js';
import type { DocumentPath } from '../../shared/settings/reporter.js';
import { canonicalTools } from '../../shared/tools/canonical-tools.js';
import type { ToolEntry, ToolKind } from '../../shared/tools/tool-table.js';

/** Tools of Gemini CLI that no other agent here has. */
const further = ['save_memory', 'write_todos', 'activate_skill', 'get_internal_docs', 'enter_plan_mode', 'exit_plan_mode', 'complete_task'];

/** Every name that a matcher may have for a tool of Gemini CLI itself. */
export const toolNames: readonly string[] = [...Object.values(canonicalTools).flatMap(({ names }) => [...names]), ...further];

/** What other agents call these tools, and what Gemini CLI itself calls them where people read it. Letters, case and `_` do not count. */
const namesElsewhere: Readonly<Partial<Record<ToolKind, readonly string[]>>> = {
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
  ],
  read: ['Read', 'View', 'view_file', 'fs_read', 'NotebookRead'],
  write: ['Write', 'create_file', 'write_to_file', 'fs_write'],
  edit: ['Edit', 'MultiEdit', 'edit_file', 'apply_patch', 'apply_diff', 'search_replace', 'str_replace', 'NotebookEdit'],
  find: ['find_files', 'file_search'],
  search: ['Grep', 'SearchText', 'codebase_search'],
  list: ['LS', 'ReadFolder', 'directory_tree'],
  'web-search': ['WebSearch', 'GoogleSearch'],
  subagent: ['Task', 'Agent', 'spawn_agent'],
  question: ['AskUserQuestion'],
};

const meant: ReadonlyMap<string, readonly string[]> = new Map([
  ...(Object.entries(namesElsewhere) as [ToolKind, readonly string[]][]).flatMap(([kind, names]) =>
    names.map((name): [string, readonly string[]] => [letters(name), canonicalTools[kind]?.names ?? []]),
  ),
  ...(Object.values(canonicalTools) as ToolEntry[]).flatMap(({ names }) =>
    names.map((name): [string, readonly string[]] => [letters(name), [name]]),
  ),
]);

/**
 * A matcher that was brought along from another agent is a guard that never fires: each of its names that is a tool's elsewhere, and fits none of
 * Gemini CLI's, is said with the one to write. `ofHost`: names that the host has for tools of its own. Returns whether something was said.
 */
export function reportStrangeTools(
  text: string,
  test: (subject: string) => boolean,
  ofHost: readonly string[],
  place: DocumentPath,
  { eventName, reporter }: EventContext,
): boolean {
  const parts = text.split('|').map((part) => partOf(part, test, [...toolNames, ...ofHost]));
  const strange = [...new Set(parts.flatMap(({ name }) => (name === undefined ? [] : [name])))];
  if (strange.length === 0) return false;
  const are = strange.length === 1 ? 'is no name of a tool' : 'are no names of tools';
  const fit = strange.length === 1 ? 'it fits' : 'they fit';
  const message = `${strange.map(formatValue).join(', ')} ${are} in Gemini CLI; ${fit} only what the agent itself calls so.`;
  const instead = [...new Set(parts.map((part) => part.text))].join('|');
  reporter.report('unmatched_matcher', 'warning', place, message, { remedy: `Write ${JSON.stringify(instead)}.`, eventName });
  return true;
}

/** One of the alternatives as the remedy has it, and its name where that is another agent's. */
function partOf(text: string, test: (subject: string) => boolean, known: readonly string[]): { text: string; name?: string } {
  const [, before = '', name = '', after = ''] = /^([\^(]*)([\w-]+)([)$]*)$/.exec(text) ?? [];
  const names = meant.get(letters(name));
  // What stands in the name of a known tool is no slip: it is searched for.
  if (names === undefined || known.some((tool) => tool.includes(name)) || !test(name)) return { text };
  const instead = names.join('|');
  const isAlone = before === '' && after === '';
  return { name, text: `${before}${names.length === 1 || isAlone ? instead : `(${instead})`}${after}` };
}

function letters(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '');
}
