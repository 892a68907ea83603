import { join } from '../../shared/paths.js';
import { common, commonEvents, unmatched } from '../input/event-table.js';
import { type RelativeProduct, starterOf } from '../product.js';

const file = '.trae/hooks.json';

/**
 * Trae, and TraeCode. Document: docs.trae.cn/ide_hook-configuration-reference (August 2026). It names the user's file of the Chinese edition,
 * `~/.trae-cn/hooks.json`. Unverified: that of the other edition, `~/.trae/hooks.json`, and the arguments of all tools but `RunCommand`.
 */
export const trae: RelativeProduct = {
  name: 'trae',
  factory: 'trae',
  agent: 'Trae',
  agentVariables: ['TRAE_PROJECT_DIR'],
  locations: ({ projectDir, home }) => [
    { source: 'project', file: join(projectDir, file) },
    { source: 'user', file: join(home, '.trae-cn/hooks.json') },
    { source: 'user', file: join(home, file) },
  ],
  projectFiles: [file],
  version: 1,
  events: {
    SessionStart: unmatched(commonEvents.SessionStart),
    ...common('UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop', 'Notification'),
  },
  tools: {
    shell: { names: ['RunCommand'], keys: { command: ['command'] } },
    read: { names: ['Read'], keys: { file: ['file_path'], offset: ['offset'], limit: ['limit'] } },
    'read-many': { names: ['Read'] },
    write: { names: ['Write'], keys: { file: ['file_path'], content: ['content'] } },
    edit: { names: ['Edit'], keys: { file: ['file_path'], 'old-text': ['old_string'], 'new-text': ['new_string'] } },
    find: { names: ['Glob'], keys: { file: ['path'], pattern: ['pattern'] } },
    search: { names: ['Grep'], keys: { file: ['path'], pattern: ['pattern'], include: ['glob'] } },
    list: { names: ['LS'], keys: { file: ['path'] } },
    fetch: { names: ['WebFetch'], keys: { url: ['url'] } },
    'web-search': { names: ['WebSearch'], keys: { query: ['query'] } },
    question: { names: ['AskUserQuestion'] },
  },
  otherTools: ['Skill'],
  matcher: 'pattern',
  timeout: { unit: 's', fallback: 30 },
  types: ['command'],
  hookFields: [],
  loopLimit: 5,
  startsInProject: true,
  asks: true,
  common: ({ event, input, projectDir }) => ({
    session_id: input['session_id'],
    cwd: projectDir,
    hook_event_name: event,
    workspace_roots: Array.isArray(input['workspace_roots']) ? input['workspace_roots'] : [projectDir],
  }),
  variables: ({ event, input, projectDir }) => ({
    TRAE_PROJECT_DIR: projectDir,
    CLAUDE_PROJECT_DIR: projectDir,
    ...(event === 'SessionStart' ? { TRAE_ENV_FILE: input['env_file'], CLAUDE_ENV_FILE: input['env_file'] } : {}),
  }),
  projectVariable: 'TRAE_PROJECT_DIR',
  variableNames: ['TRAE_PROJECT_DIR', 'CLAUDE_PROJECT_DIR', 'TRAE_ENV_FILE', 'CLAUDE_ENV_FILE'],
  starter: starterOf(file, '.trae', '^RunCommand$', 'TRAE_PROJECT_DIR', { timeout: 10, version: 1 }),
};
