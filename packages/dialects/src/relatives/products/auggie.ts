import { join } from '../../shared/paths.js';
import { commonEvents, unmatched } from '../input/event-table.js';
import { type RelativeProduct, starterOf } from '../product.js';

const file = '.augment/settings.json';

/**
 * Augment's Auggie. Document: docs.augmentcode.com/cli/hooks. Its stdin has `conversation_id` and `workspace_roots`, and no `cwd`. A command
 * is the path of a script; here a shell runs it. Unverified: the keys of the contents in `save-file` and `str-replace-editor`, and whether a
 * hook may ask.
 */
export const auggie: RelativeProduct = {
  name: 'auggie',
  factory: 'auggie',
  agent: 'Auggie',
  agentVariables: ['AUGMENT_AGENT', 'AUGMENT_HOOK_EVENT', 'AUGMENT_PROJECT_DIR'],
  locations: ({ projectDir, home, platform }, managedFile) => [
    { source: 'managed', file: managedFile ?? getManagedFile(platform) },
    { source: 'local', file: join(projectDir, '.augment/settings.local.json') },
    { source: 'project', file: join(projectDir, file) },
    { source: 'user', file: join(home, file) },
  ],
  projectFiles: [file, '.augment/settings.local.json'],
  events: {
    PreToolUse: commonEvents.PreToolUse,
    PostToolUse: { eventName: 'AfterTool', subject: 'tool_name', ofTool: true, fields: ['additionalContext'] },
    PromptSubmit: { eventName: 'BeforeAgent', fields: [] },
    Stop: { eventName: 'AfterAgent', fields: [] },
    Notification: unmatched(commonEvents.Notification),
    SessionStart: unmatched(commonEvents.SessionStart),
    SessionEnd: unmatched(commonEvents.SessionEnd),
  },
  tools: {
    shell: { names: ['launch-process'], keys: { command: ['command'] } },
    read: { names: ['view'], keys: { file: ['path'] } },
    'read-many': { names: ['view'] },
    write: { names: ['save-file'], keys: { file: ['path'], content: ['file_content'] } },
    edit: { names: ['str-replace-editor'], keys: { file: ['path'], 'old-text': ['old_str'], 'new-text': ['new_str'] } },
    fetch: { names: ['web-fetch'], keys: { url: ['url'] } },
    'web-search': { names: ['web-search'], keys: { query: ['query'] } },
  },
  otherTools: ['remove-files', 'apply_patch', 'codebase-retrieval', 'read-process', 'kill-process'],
  matcher: 'pattern',
  mcpAfterTool: true,
  timeout: { unit: 'ms', fallback: 60_000 },
  types: ['command'],
  hookFields: ['metadata'],
  asks: false,
  common: ({ event, input, projectDir }) => ({
    hook_event_name: event,
    conversation_id: input['session_id'],
    workspace_roots: Array.isArray(input['workspace_roots']) ? input['workspace_roots'] : [projectDir],
    ...(event === 'Stop' ? { agent_stop_cause: input['agent_stop_cause'] ?? 'end_turn' } : {}),
  }),
  result: ({ input, text, error }) => ({
    tool_output: text,
    ...(error === undefined ? {} : { tool_error: error }),
    file_changes: input['file_changes'] ?? [],
  }),
  canonical: ({ conversation_id: session }) => ({ session_id: session }),
  variables: ({ event, input, projectDir, toolName }) => ({
    AUGMENT_PROJECT_DIR: projectDir,
    AUGMENT_CONVERSATION_ID: input['session_id'],
    AUGMENT_HOOK_EVENT: event,
    AUGMENT_TOOL_NAME: toolName,
  }),
  projectVariable: 'AUGMENT_PROJECT_DIR',
  variableNames: ['AUGMENT_PROJECT_DIR', 'AUGMENT_CONVERSATION_ID', 'AUGMENT_HOOK_EVENT', 'AUGMENT_TOOL_NAME'],
  starter: starterOf(file, '.augment', '^launch-process$', 'AUGMENT_PROJECT_DIR', { timeout: 10_000 }),
};

function getManagedFile(platform: string): string {
  return platform === 'win32' ? 'C:\\ProgramData\\Augment\\settings.json' : '/etc/augment/settings.json';
}
