import {
  eventEntry,
  type HookEvent,
  type HookEventName,
  type HookOutcome,
  type HookWarning,
  hookEventNames,
  outcomeStatuses,
} from '@tenterhook/protocol';
import { canonicalOutputSchema } from '@tenterhook/protocol/internal';
import fc from 'fast-check';

/**
 * Generates outcomes of any content that an adapter may pass. Only their types are correct: statuses and texts contradict each other,
 * fields are on events that do not have them, and rewrites have any value.
 */

const base = { session_id: 's', transcript_path: '', cwd: '/', timestamp: '2026-11-21T10:00:00.000Z' };
const request = { model: 'm', messages: [{ role: 'user', content: 'hi' }], config: { topP: 1 }, toolConfig: { mode: 'AUTO' } };
const response = { text: 'a', candidates: [{ content: { parts: ['a', { functionCall: {} }] } }] };
const fields: Readonly<Record<HookEventName, Record<string, unknown>>> = {
  BeforeTool: { tool_name: 'write_file', tool_input: { path: 'a.txt', x: { y: 1 } } },
  AfterTool: { tool_name: 'write_file', tool_input: {}, tool_response: { llmContent: 'a', returnDisplay: 'a' } },
  BeforeAgent: { prompt: 'p' },
  AfterAgent: { prompt: 'p', prompt_response: 'r', stop_hook_active: false },
  BeforeModel: { llm_request: request },
  AfterModel: { llm_request: request, llm_response: response },
  BeforeToolSelection: { llm_request: request },
  SessionStart: { source: 'startup' },
  SessionEnd: { reason: 'exit' },
  PreCompress: { trigger: 'auto' },
  Notification: { notification_type: 'ToolPermission', message: 'm', details: {} },
  HostStart: {},
  HostEnd: {},
  PermissionRequest: { tool_name: 'write_file', tool_input: { path: 'a.txt', x: { y: 1 } } },
  PermissionDenied: { tool_name: 'write_file', tool_input: {} },
  PostToolBatch: { tool_calls: [] },
  UserPromptExpansion: { command_name: 'review' },
  MessageDisplay: { message_id: 'm1', delta: 'a' },
  StopFailure: { error: 'rate_limit' },
  SubagentStart: { agent_type: 'explore' },
  SubagentStop: { agent_type: 'explore' },
  TaskCreated: { task_id: '7' },
  TaskCompleted: { task_id: '7' },
  TeammateIdle: { teammate_name: 'ada' },
  PostCompress: { trigger: 'auto' },
  Setup: { trigger: 'init' },
  ConfigChange: { source: 'user_settings' },
  InstructionsLoaded: { file_path: '/AGENTS.md' },
  CwdChanged: { new_cwd: '/' },
  DirectoryAdded: { directory: '/' },
  FileChanged: { file_path: '/.env' },
  WorktreeCreate: { name: 'w' },
  WorktreeRemove: { worktree_path: '/w' },
  Elicitation: { mcp_server_name: 's' },
  ElicitationResult: { mcp_server_name: 's' },
  PreModelSwitch: { to_model: 'm' },
  PostModelSwitch: { to_model: 'm' },
  Interrupt: {},
  AfterAgentThought: { text: 'a' },
  BeforeTabFileRead: { file_path: '/a' },
  AfterTabFileEdit: { file_path: '/a' },
  WorkspaceOpen: {},
  UserPromptTransformed: { prompt: 'p' },
  ErrorOccurred: {},
  PostResult: {},
  PrePRDescription: {},
};

export const anyEventName = fc.constantFrom(...hookEventNames);

export function eventOf(eventName: HookEventName): HookEvent {
  return { eventName, input: { ...base, hook_event_name: eventName, ...fields[eventName] }, projectDir: '/' };
}

const rewriteFields = [...new Set(hookEventNames.flatMap((name) => eventEntry(name).rewrites.map(({ field }) => field)))];
const specificFields = [
  ...new Set([...rewriteFields, ...Object.keys(canonicalOutputSchema.shape), 'llm_response', 'permissionDecision', 'additionalContext']),
];
const modelFields = [
  'messages',
  'config',
  'toolConfig',
  'candidates',
  'text',
  'mode',
  'allowedFunctionNames',
  'path',
  'x',
  'llmContent',
  '__proto__',
];

const leaf = fc.oneof(
  fc.constantFrom<unknown>(
    'deny',
    'allow',
    'ask',
    'ANY',
    'NONE',
    'AUTO',
    '',
    true,
    false,
    0,
    5,
    -1,
    [],
    {},
    ['a'],
    ['b'],
    [{ content: { parts: ['b'] } }],
  ),
  fc.jsonValue({ maxDepth: 2 }),
);
const record = fc.array(fc.tuple(fc.constantFrom(...modelFields), leaf), { maxLength: 4 }).map(ownFields);
const specific = fc
  .array(fc.tuple(fc.constantFrom(...specificFields, '__proto__', 'note'), fc.oneof(leaf, record)), { maxLength: 4 })
  .map(ownFields);

const output = fc.record(
  {
    decision: fc.constantFrom('allow' as const, 'approve' as const, 'ask' as const, 'deny' as const, 'block' as const),
    reason: fc.oneof(fc.constant(''), fc.string({ maxLength: 5 })),
    continue: fc.boolean(),
    stopReason: fc.string({ maxLength: 5 }),
    suppressOutput: fc.boolean(),
    systemMessage: fc.string({ maxLength: 5 }),
    hookSpecificOutput: specific,
    isBlockingDecision: fc.boolean(),
    note: fc.jsonValue({ maxDepth: 1 }),
  },
  { requiredKeys: [] },
);

const failedWarnings: readonly HookWarning[] = [
  { code: 'exit_code', message: 'it failed' },
  { code: 'failed_closed', message: 'it could not work' },
];

const outcome = fc.record({
  output: fc.option(output, { nil: undefined }),
  status: fc.constantFrom(...outcomeStatuses, 'succeeded', 'blocked'),
  exitCode: fc.constantFrom(undefined, 0, 1, 2),
  dialect: fc.constantFrom('a', 'b'),
  isClosed: fc.boolean(),
  warnings: fc.constantFrom([], failedWarnings, [{ code: 'not_started' as const, message: 'it had no turn' }]),
});

/** Generates outcomes of one event, in plan order. An outcome whose answer counts has not failed closed. */
export function anyOutcomes(eventName: HookEventName): fc.Arbitrary<HookOutcome[]> {
  return fc.array(outcome, { maxLength: 6 }).map((list) =>
    list.map(({ output: said, status, exitCode, isClosed, warnings, dialect }, index) => ({
      hookId: `h${index}`,
      eventName,
      source: 'user',
      dialect,
      status,
      durationMs: 1,
      ...(exitCode === undefined ? {} : { exitCode }),
      ...(said === undefined ? {} : { output: said }),
      ...(isClosed && mayBeClosed(status) ? { failedClosed: true as const } : {}),
      warnings: [...warnings],
    })),
  );
}

function mayBeClosed(status: HookOutcome['status']): boolean {
  return status !== 'succeeded' && status !== 'blocked' && status !== 'detached';
}

/** Makes an object in which `__proto__` is a field like any other, as in JSON.parse. */
function ownFields(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  return Object.fromEntries(entries);
}
