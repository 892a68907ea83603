import { join } from '../../shared/paths.js';
import { common, commonEvents } from '../input/event-table.js';
import { type RelativeProduct, starterOf } from '../product.js';

const file = '.factory/settings.json';
const hooksFile = '.factory/hooks.json';

/**
 * Factory's Droid. Document: github.com/Factory-AI/factory, docs/reference/hooks-reference.mdx (2a4debce45). It writes the fields of stdin
 * as `sessionId` and `hookEventName`, and hooks in use read `session_id` too, so both are sent. It names the tools `Bash` and `Write`;
 * later versions have `Execute` and `Create`. Unverified: the path of the administrator's file, which is therefore not read.
 */
export const factory: RelativeProduct = {
  name: 'factory',
  factory: 'factoryDroid',
  agent: 'Factory Droid',
  agentVariables: ['FACTORY_PROJECT_DIR'],
  locations: ({ projectDir, home }) => [
    { source: 'project', file: join(projectDir, file) },
    { source: 'project', file: join(projectDir, hooksFile) },
    { source: 'local', file: join(projectDir, '.factory/settings.local.json') },
    { source: 'user', file: join(home, file) },
    { source: 'user', file: join(home, hooksFile) },
  ],
  projectFiles: [file, hooksFile, '.factory/settings.local.json'],
  eventMaps: [hooksFile],
  events: {
    PreToolUse: commonEvents.PreToolUse,
    PostToolUse: { ...commonEvents.PostToolUse, result: 'success' },
    ...common('Notification', 'UserPromptSubmit', 'Stop', 'SubagentStop', 'PreCompact', 'SessionStart', 'SessionEnd'),
  },
  tools: {
    shell: { names: ['Execute', 'Bash'], keys: { command: ['command'], description: ['description'], timeout: ['timeout'] } },
    read: { names: ['Read'], keys: { file: ['file_path'], offset: ['offset'], limit: ['limit'] } },
    'read-many': { names: ['Read'] },
    write: { names: ['Create', 'Write'], keys: { file: ['file_path'], content: ['content'] } },
    edit: {
      names: ['Edit', 'MultiEdit'],
      keys: { file: ['file_path'], 'old-text': ['old_string'], 'new-text': ['new_string'], 'every-match': ['replace_all'] },
    },
    find: { names: ['Glob'], keys: { file: ['path'], pattern: ['pattern'] } },
    search: { names: ['Grep'], keys: { file: ['path'], pattern: ['pattern'], include: ['glob'] } },
    list: { names: ['LS'], keys: { file: ['path'] } },
    fetch: { names: ['WebFetch'], keys: { url: ['url'], prompt: ['prompt'] } },
    'web-search': { names: ['WebSearch'], keys: { query: ['query'] } },
    subagent: { names: ['Task'], keys: { agent: ['subagent_type'], prompt: ['prompt'] } },
  },
  otherTools: ['ApplyPatch', 'TodoWrite', 'NotebookEdit'],
  matcher: 'names',
  timeout: { unit: 's', fallback: 60 },
  types: ['command'],
  hookFields: [],
  dropsCopies: true,
  mergesInput: true,
  asks: true,
  common: ({ event, input, mode }) => ({
    sessionId: input['session_id'],
    session_id: input['session_id'],
    transcriptPath: input['transcript_path'],
    transcript_path: input['transcript_path'],
    cwd: input['cwd'],
    permissionMode: mode,
    permission_mode: mode,
    hookEventName: event,
    hook_event_name: event,
    ...(input['stop_hook_active'] === undefined ? {} : { stopHookActive: input['stop_hook_active'] }),
    ...(event === 'PreCompact'
      ? { customInstructions: input['custom_instructions'] ?? '', custom_instructions: input['custom_instructions'] ?? '' }
      : {}),
  }),
  canonical: ({ sessionId, transcriptPath, permissionMode, stopHookActive, customInstructions }) => ({
    session_id: sessionId,
    transcript_path: transcriptPath,
    permission_mode: permissionMode,
    stop_hook_active: stopHookActive,
    custom_instructions: customInstructions,
  }),
  variables: ({ projectDir }) => ({ FACTORY_PROJECT_DIR: projectDir }),
  projectVariable: 'FACTORY_PROJECT_DIR',
  variableNames: ['FACTORY_PROJECT_DIR'],
  starter: starterOf(file, '.factory', 'Execute', 'FACTORY_PROJECT_DIR', { timeout: 10 }),
};
