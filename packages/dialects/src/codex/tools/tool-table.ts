import type { ToolTable } from '../../shared/tools/tool-table.js';

/**
 * Codex's names for each kind of tool. Codex writes and changes files with patches. Matchers may use the names of Claude Code's tools
 * for this tool. Codex reads, searches and lists files through the shell, and its hooks do not see requests to the web.
 */
export const codexTools: ToolTable = {
  shell: { names: ['Bash'], keys: { command: ['command'], description: ['description'] } },
  write: { names: ['apply_patch', 'Write', 'Edit'], keys: { file: ['file_path'], content: ['content'] } },
  edit: {
    names: ['apply_patch', 'Edit', 'Write'],
    keys: { file: ['file_path'], 'old-text': ['old_string'], 'new-text': ['new_string'] },
  },
  subagent: { names: ['spawn_agent'], keys: { agent: ['agent_type'], prompt: ['message'] } },
  question: { names: ['request_user_input'], keys: { questions: ['questions'] } },
};

/** Every name that a matcher may use for one of Codex's own tools. */
export const knownToolNames: readonly string[] = [...new Set(Object.values(codexTools).flatMap(({ names }) => [...names]))];
