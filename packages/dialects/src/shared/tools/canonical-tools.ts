import type { ToolTable } from './tool-table.js';

/** Of tools that are about a file, and of those that are about a folder: LLxprt and Gemini CLI have had several keys for the same, and take more than one. */
const file = ['file_path', 'absolute_path', 'path', 'dir_path'] as const;
const folder = ['dir_path', 'path', 'file_path', 'absolute_path'] as const;

/** Every key under which a host of this family has the file or folder that a tool is about. */
export const fileKeys: readonly string[] = file;

/** The tools of LLxprt and Gemini CLI, which are the canonical ones: their names, and the keys of their arguments. */
export const canonicalTools: ToolTable = {
  shell: { names: ['run_shell_command'], keys: { command: ['command'], description: ['description'], background: ['is_background'] } },
  read: { names: ['read_file'], keys: { file, offset: ['offset'], limit: ['limit'] } },
  // Its files are a list of patterns, which is no counterpart of one file.
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
