import type { ToolTable } from './tool-table.js';

/** The keys of arguments for a file and for a folder. LLxprt and Gemini CLI renamed these keys over time, and accept all of them. */
const file = ['file_path', 'absolute_path', 'path', 'dir_path'] as const;
const folder = ['dir_path', 'path', 'file_path', 'absolute_path'] as const;

/** All keys under which LLxprt, Gemini CLI and similar hosts pass the file or folder of a tool. */
export const fileKeys: readonly string[] = file;

/** The canonical tool names, which are those of LLxprt and Gemini CLI. */
export const canonicalTools: ToolTable = {
  shell: { names: ['run_shell_command'], keys: { command: ['command'], description: ['description'], background: ['is_background'] } },
  read: { names: ['read_file'], keys: { file, offset: ['offset'], limit: ['limit'] } },
  // The argument of this tool is a list of patterns, so no argument has the role `file`.
  'read-many': { names: ['read_many_files'] },
  write: { names: ['write_file'], keys: { file, content: ['content'] } },
  edit: {
    names: ['replace'],
    keys: { file, 'old-text': ['old_string'], 'new-text': ['new_string'], 'every-match': ['allow_multiple'] },
  },
  find: { names: ['glob'], keys: { file: folder, pattern: ['pattern'] } },
  search: {
    names: ['grep_search', 'search_file_content'],
    keys: { file: folder, pattern: ['pattern'], include: ['include_pattern', 'include'] },
  },
  list: { names: ['list_directory'], keys: { file: folder } },
  fetch: { names: ['web_fetch'], keys: { url: ['url'], prompt: ['prompt'] } },
  'web-search': { names: ['google_web_search'], keys: { query: ['query'] } },
  subagent: { names: ['invoke_agent'], keys: { agent: ['agent_name'], prompt: ['prompt'] } },
  question: { names: ['ask_user'], keys: { questions: ['questions'] } },
};
