import type { ToolTable } from '../../shared/tools/tool-table.js';

/**
 * Antigravity's names for each kind of tool, and the keys of their arguments. Reports of real calls show the keys of commands, of files that
 * are read, written and changed, and of `list_dir` and `grep_search`. Those of `find_by_name`, `read_url_content` and `search_web` are
 * unverified.
 */
export const antigravityTools: ToolTable = {
  shell: { names: ['run_command'], keys: { command: ['CommandLine'] } },
  read: { names: ['view_file'], keys: { file: ['AbsolutePath'] } },
  'read-many': { names: ['view_file'] },
  write: { names: ['write_to_file'], keys: { file: ['TargetFile'], content: ['CodeContent'] } },
  edit: {
    names: ['replace_file_content', 'multi_replace_file_content'],
    keys: {
      file: ['TargetFile'],
      'old-text': ['TargetContent'],
      'new-text': ['ReplacementContent'],
      'every-match': ['AllowMultiple'],
    },
  },
  find: { names: ['find_by_name'], keys: { file: ['SearchDirectory'], pattern: ['Pattern'] } },
  search: { names: ['grep_search'], keys: { file: ['SearchPath'], pattern: ['Query'] } },
  list: { names: ['list_dir'], keys: { file: ['DirectoryPath'] } },
  fetch: { names: ['read_url_content'], keys: { url: ['Url'] } },
  'web-search': { names: ['search_web'], keys: { query: ['query'] } },
  subagent: { names: ['invoke_subagent'] },
  question: { names: ['ask_question'] },
};

/** The tool with which Antigravity calls the tools of MCP servers. Server, tool and arguments of the call are its arguments. */
export const mcpTool = 'call_mcp_tool';

/** Tools of Antigravity that hosts do not have. */
const ownTools = [
  mcpTool,
  'list_resources',
  'read_resource',
  'define_subagent',
  'manage_subagents',
  'send_message',
  'manage_task',
  'schedule',
  'list_permissions',
  'ask_permission',
  'generate_image',
  'view_file_outline',
  'code_search',
  'command_status',
  'send_command_input',
];

/** Every name that a matcher may use for one of Antigravity's own tools. */
export const knownToolNames: readonly string[] = [
  ...new Set(Object.values(antigravityTools).flatMap(({ names }) => [...names])),
  ...ownTools,
];
