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
