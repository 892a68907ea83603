import { isAbsolute, join } from '../../shared/paths.js';
import { common, commonEvents, unmatched } from '../input/event-table.js';
import { type RelativeProduct, starterOf } from '../product.js';

const file = '.devin/config.json';
const hooksFile = '.devin/hooks.v1.json';

/**
 * Devin's command line. Documents: docs.devin.ai/cli/extensibility/hooks/overview and …/lifecycle-hooks; payloads of version 3000.6.14
 * that other projects captured: there is neither `cwd` nor `transcript_path`. Unverified: the default timeout, and the arguments of
 * `write`.
 */
export const devin: RelativeProduct = {
  name: 'devin',
  factory: 'devin',
  agent: 'Devin',
  agentVariables: ['DEVIN_PROJECT_DIR'],
  locations: ({ projectDir, home, environment, platform }) => [
    { source: 'project', file: join(projectDir, file) },
    { source: 'project', file: join(projectDir, hooksFile) },
    { source: 'local', file: join(projectDir, '.devin/config.local.json') },
    { source: 'user', file: join(configFolder(home, environment, platform), 'devin/config.json') },
  ],
  projectFiles: [file, hooksFile, '.devin/config.local.json'],
  eventMaps: [hooksFile],
  events: {
    ...common('PreToolUse', 'PostToolUse', 'PermissionRequest', 'UserPromptSubmit', 'Stop'),
    PostCompaction: { eventName: 'PostCompress', fields: [] },
    SessionStart: unmatched(commonEvents.SessionStart),
    SessionEnd: unmatched(commonEvents.SessionEnd),
  },
  tools: {
    shell: { names: ['exec'], keys: { command: ['command'] } },
    read: { names: ['read'], keys: { file: ['file_path'], offset: ['offset'], limit: ['limit'] } },
    'read-many': { names: ['read'] },
    write: { names: ['write'], keys: { file: ['file_path'], content: ['content'] } },
    edit: { names: ['edit'], keys: { file: ['file_path'], 'old-text': ['old_string'], 'new-text': ['new_string'] } },
    find: { names: ['glob'], keys: { file: ['path'], pattern: ['pattern'] } },
    search: { names: ['grep'], keys: { file: ['path'], pattern: ['pattern'], include: ['glob_pattern'] } },
    fetch: { names: ['webfetch'], keys: { url: ['url'] } },
    subagent: { names: ['run_subagent'], keys: { agent: ['profile'], prompt: ['task'] } },
    question: { names: ['ask_user_question'] },
  },
  otherTools: ['todo_write', 'notebook_read', 'notebook_edit', 'skill', 'request_scope', 'read_subagent'],
  matcher: 'pattern',
  timeout: { unit: 's', fallback: 60 },
  types: ['command', 'prompt'],
  hookFields: [],
  mergesInput: true,
  asks: false,
  common: ({ event, input }) => ({
    hook_event_name: event,
    session_id: input['session_id'],
    ...(event === 'SessionStart' ? {} : { prompt_id: input['prompt_id'] ?? input['turn_id'] }),
  }),
  result: ({ text, error }) => ({ tool_response: { success: error === undefined, output: text, error: error ?? null } }),
  canonical: ({ prompt_id: turn, summary }) => ({ turn_id: turn, compact_summary: summary }),
  variables: ({ projectDir }) => ({ DEVIN_PROJECT_DIR: projectDir }),
  projectVariable: 'DEVIN_PROJECT_DIR',
  variableNames: ['DEVIN_PROJECT_DIR'],
  starter: starterOf(hooksFile, '.devin', '^exec$', 'DEVIN_PROJECT_DIR', { timeout: 10, isEventMap: true }),
};

function configFolder(home: string, environment: Readonly<Record<string, string>>, platform: string): string {
  const moved = (platform === 'win32' ? environment['APPDATA'] : environment['XDG_CONFIG_HOME']) ?? '';
  return isAbsolute(moved) ? moved : join(home, '.config');
}
