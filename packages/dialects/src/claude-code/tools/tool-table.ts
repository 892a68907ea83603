import { type OtherTools, textsOfEdits } from '../../shared/tools/other-tools.js';
import type { ToolTable } from '../../shared/tools/tool-table.js';

/**
 * Claude Code's names for each kind of tool. Claude Code has no tool that lists a folder. Its other shells and editors
 * are in `otherTools`: hosts do not have them, and a hook of `Bash` is not one of `PowerShell`.
 */
export const claudeTools: ToolTable = {
  shell: {
    names: ['Bash'],
    keys: { command: ['command'], description: ['description'], timeout: ['timeout'], background: ['run_in_background'] },
  },
  read: { names: ['Read'], keys: { file: ['file_path'], offset: ['offset'], limit: ['limit'] } },
  'read-many': { names: ['Read'] },
  write: { names: ['Write'], keys: { file: ['file_path'], content: ['content'] } },
  edit: {
    names: ['Edit'],
    keys: { file: ['file_path'], 'old-text': ['old_string'], 'new-text': ['new_string'], 'every-match': ['replace_all'] },
  },
  find: { names: ['Glob'], keys: { file: ['path'], pattern: ['pattern'] } },
  search: { names: ['Grep'], keys: { file: ['path'], pattern: ['pattern'], include: ['glob'] } },
  fetch: { names: ['WebFetch'], keys: { url: ['url'], prompt: ['prompt'] } },
  'web-search': { names: ['WebSearch'], keys: { query: ['query'] } },
  subagent: {
    names: ['Agent', 'Task'],
    keys: { agent: ['subagent_type'], prompt: ['prompt'], description: ['description'], model: ['model'] },
  },
  question: { names: ['AskUserQuestion'], keys: { questions: ['questions'] } },
};

/** Tools of Claude Code that do the work of a canonical tool. Some changed their name, so earlier names are listed too. */
export const otherTools: OtherTools = {
  PowerShell: 'run_shell_command',
  // A command whose lines the model reads while it runs.
  Monitor: 'run_shell_command',
  NotebookEdit: { as: 'replace', keys: { notebook_path: 'file_path', new_source: 'new_string' } },
  NotebookRead: { as: 'read_file', keys: { notebook_path: 'file_path' } },
  MultiEdit: { as: 'replace', derived: textsOfEdits },
  LS: { as: 'list_directory', keys: { path: 'dir_path' } },
  Task: { as: 'invoke_agent', keys: { subagent_type: 'agent_name' } },
};

/** Tools of Claude Code that have no counterpart in other agents. */
const ownTools = ['ExitPlanMode', 'EnterPlanMode', 'TodoWrite', 'Skill', 'BashOutput', 'KillShell'];

/** Every name that a matcher may use for one of Claude Code's own tools. */
export const knownToolNames: readonly string[] = [
  ...new Set([...Object.values(claudeTools).flatMap(({ names }) => [...names]), ...Object.keys(otherTools), ...ownTools]),
];
