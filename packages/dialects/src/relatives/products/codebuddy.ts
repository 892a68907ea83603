import { join } from '../../shared/paths.js';
import { common } from '../input/event-table.js';
import { type RelativeProduct, starterOf } from '../product.js';

const file = '.codebuddy/settings.json';

/**
 * Tencent's CodeBuddy. Documents: codebuddy.ai/docs/cli/hooks and cloud.tencent.com/document/product/1256/77296. The command line has Claude
 * Code's names of tools; the editor has `execute_command`, `write_to_file`, `replace_in_file` and `read_file`. Hooks receive the former, and
 * matchers may name either. Unverified: whether PostToolUse also follows failed tools; here it does.
 */
export const codebuddy: RelativeProduct = {
  name: 'codebuddy',
  factory: 'codeBuddy',
  agent: 'CodeBuddy',
  agentVariables: ['CODEBUDDY_PROJECT_DIR'],
  locations: ({ projectDir, home }) => [
    { source: 'project', file: join(projectDir, file) },
    { source: 'local', file: join(projectDir, '.codebuddy/settings.local.json') },
    { source: 'user', file: join(home, file) },
  ],
  projectFiles: [file, '.codebuddy/settings.local.json'],
  events: common(
    'PreToolUse',
    'PostToolUse',
    'Notification',
    'UserPromptSubmit',
    'Stop',
    'SubagentStop',
    'PreCompact',
    'SessionStart',
    'SessionEnd',
  ),
  tools: {
    shell: { names: ['Bash', 'execute_command'], keys: { command: ['command'], description: ['description'], timeout: ['timeout'] } },
    read: { names: ['Read', 'read_file'], keys: { file: ['file_path'], offset: ['offset'], limit: ['limit'] } },
    'read-many': { names: ['Read', 'read_file'] },
    write: { names: ['Write', 'write_to_file'], keys: { file: ['file_path'], content: ['content'] } },
    edit: {
      names: ['Edit', 'replace_in_file'],
      keys: { file: ['file_path'], 'old-text': ['old_string'], 'new-text': ['new_string'], 'every-match': ['replace_all'] },
    },
    find: { names: ['Glob'], keys: { file: ['path'], pattern: ['pattern'] } },
    search: { names: ['Grep'], keys: { file: ['path'], pattern: ['pattern'], include: ['glob'] } },
    fetch: { names: ['WebFetch'], keys: { url: ['url'], prompt: ['prompt'] } },
    'web-search': { names: ['WebSearch'], keys: { query: ['query'] } },
    subagent: { names: ['Task'], keys: { agent: ['subagent_type'], prompt: ['prompt'] } },
  },
  otherTools: ['MultiEdit', 'NotebookEdit', 'TodoWrite'],
  matcher: 'names',
  timeout: { unit: 's', fallback: 60 },
  types: ['command', 'prompt'],
  hookFields: [],
  dropsCopies: true,
  otherInputField: 'modifiedInput',
  asks: true,
  common: ({ event, input, mode }) => ({
    session_id: input['session_id'],
    transcript_path: input['transcript_path'],
    cwd: input['cwd'],
    permission_mode: mode,
    hook_event_name: event,
    ...(event === 'PreCompact' ? { custom_instructions: input['custom_instructions'] ?? '' } : {}),
  }),
  variables: ({ projectDir }) => ({ CODEBUDDY_PROJECT_DIR: projectDir, CLAUDE_PROJECT_DIR: projectDir }),
  projectVariable: 'CODEBUDDY_PROJECT_DIR',
  variableNames: ['CODEBUDDY_PROJECT_DIR', 'CLAUDE_PROJECT_DIR'],
  starter: starterOf(file, '.codebuddy', 'Bash', 'CODEBUDDY_PROJECT_DIR', { timeout: 10 }),
};
