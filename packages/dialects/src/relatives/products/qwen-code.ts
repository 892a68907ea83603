import { join } from '../../shared/paths.js';
import { common, commonEvents } from '../input/event-table.js';
import { type RelativeProduct, starterOf } from '../product.js';

const file = '.qwen/settings.json';

/**
 * Qwen Code, which grew out of Gemini CLI: the tools are those of Gemini CLI, and events and answers those of Claude Code. Document:
 * github.com/QwenLM/qwen-code, docs/users/features/hooks.md (219af2a445). Timeouts of commands are in milliseconds. Not read here: hooks of the
 * type `http`, and the events SessionDelete, TodoCreated and TodoCompleted. Unverified: the path of the administrator's file.
 */
export const qwenCode: RelativeProduct = {
  name: 'qwen-code',
  factory: 'qwenCode',
  agent: 'Qwen Code',
  agentVariables: ['QWEN_CODE', 'QWEN_PROJECT_DIR'],
  locations: ({ projectDir, home }) => [
    { source: 'project', file: join(projectDir, file) },
    { source: 'user', file: join(home, file) },
  ],
  projectFiles: [file],
  events: {
    PreToolUse: commonEvents.PreToolUse,
    PostToolUse: { ...commonEvents.PostToolUse, result: 'success' },
    ...common(
      'PostToolUseFailure',
      'UserPromptSubmit',
      'SessionStart',
      'SessionEnd',
      'Stop',
      'SubagentStart',
      'SubagentStop',
      'PreCompact',
      'Notification',
      'PermissionRequest',
      'PermissionDenied',
    ),
    MessageDisplay: { eventName: 'MessageDisplay', fields: [] },
  },
  tools: {
    shell: { names: ['run_shell_command'], keys: { command: ['command'], description: ['description'], background: ['is_background'] } },
    read: { names: ['read_file', 'ReadFile'], keys: { file: ['file_path'], offset: ['offset'], limit: ['limit'] } },
    'read-many': { names: ['read_many_files', 'ReadManyFiles'] },
    write: { names: ['write_file', 'WriteFile'], keys: { file: ['file_path'], content: ['content'] } },
    edit: {
      names: ['edit', 'Edit'],
      keys: { file: ['file_path'], 'old-text': ['old_string'], 'new-text': ['new_string'], 'every-match': ['replace_all'] },
    },
    find: { names: ['glob', 'Glob'], keys: { file: ['path'], pattern: ['pattern'] } },
    search: { names: ['grep_search', 'Grep'], keys: { file: ['path'], pattern: ['pattern'], include: ['glob'] } },
    list: { names: ['list_directory', 'ListFiles'], keys: { file: ['path'] } },
    fetch: { names: ['web_fetch', 'WebFetch'], keys: { url: ['url'], prompt: ['prompt'] } },
    'web-search': { names: ['web_search', 'WebSearch'], keys: { query: ['query'] } },
    subagent: { names: ['agent', 'task'], keys: { agent: ['subagent_type'], prompt: ['prompt'] } },
    question: { names: ['ask_user_question'] },
  },
  otherTools: ['todo_write', 'save_memory', 'exit_plan_mode', 'skill'],
  matcher: 'pattern',
  timeout: { unit: 'ms', fallback: 60_000 },
  types: ['command', 'prompt'],
  hookFields: ['name', 'description', 'env', 'async', 'shell', 'statusMessage'],
  hasEnv: true,
  asks: true,
  hasSwitch: true,
  common: ({ event, input, mode }) => ({
    session_id: input['session_id'],
    transcript_path: input['transcript_path'],
    cwd: input['cwd'],
    hook_event_name: event,
    timestamp: input['timestamp'],
    permission_mode: mode,
  }),
  variables: ({ projectDir }) => ({ QWEN_PROJECT_DIR: projectDir }),
  projectVariable: 'QWEN_PROJECT_DIR',
  variableNames: ['QWEN_PROJECT_DIR'],
  starter: starterOf(file, '.qwen', '^run_shell_command$', 'QWEN_PROJECT_DIR', { timeout: 10_000 }),
};
