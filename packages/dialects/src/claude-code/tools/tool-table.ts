import type { ToolTable } from '../../shared/tools/tool-table.js';

/**
 * Claude Code's names for each kind of tool. Claude Code has no tool that lists a folder. Its tools `PowerShell`, `NotebookEdit`
 * and `ExitPlanMode` are missing here, because the canonical table has no kinds for them.
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

/** Tools of Claude Code that hosts do not have. Some changed their name, so earlier names are listed too. */
const ownTools = [
  'PowerShell',
  'NotebookEdit',
  'NotebookRead',
  'MultiEdit',
  'LS',
  'ExitPlanMode',
  'EnterPlanMode',
  'TodoWrite',
  'Skill',
  'BashOutput',
  'KillShell',
];

/** Every name that a matcher may use for one of Claude Code's own tools. */
export const knownToolNames: readonly string[] = [...Object.values(claudeTools).flatMap(({ names }) => [...names]), ...ownTools];
