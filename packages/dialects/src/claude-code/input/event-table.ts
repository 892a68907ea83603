import type { HookEventName } from '@tenterhook/protocol';

/** What the hooks of one event receive, and which parts of their answers have an effect. */
interface EventEntry {
  readonly eventName: HookEventName;
  /** The field of stdin that a matcher is compared with. Missing on events without such a field. */
  readonly subject?: string;
  /** The values of `subject`, if they are a closed list. */
  readonly values?: readonly string[];
  /** True if a matcher is always a list of whole texts. A pattern is impossible if the field may contain any character. */
  readonly isList?: true;
  /** True if the event is about one tool call. Only these events support the condition `if` of a hook. */
  readonly ofTool?: true;
  /** True if plain text on stdout is context for the model. */
  readonly takesText?: true;
  /** With true, exit code 2 rejects the operation. With `any`, every exit code except 0 rejects it. */
  readonly rejects?: true | 'any';
  /** True if Claude Code ignores a printed `block`, so that only the exit code can reject the operation. */
  readonly ignoresBlock?: true;
  /** True if `onFailure` has no effect. */
  readonly ignoresFailures?: true;
  /** True if a hook may append to `CLAUDE_ENV_FILE`. */
  readonly givesEnvFile?: true;
  /** The types of hooks that the event supports. @default all types */
  readonly types?: readonly string[];
  /** The default timeout in seconds. @default the timeout of the hook type */
  readonly timeoutS?: number;
  /** The fields of `hookSpecificOutput` that have an effect, besides `hookEventName`. */
  readonly fields: readonly string[];
}

const early = ['command', 'mcp_tool'];
const context = ['additionalContext'];
const task = { rejects: true, fields: [] } as const;
const notified = { fields: [] } as const;

/**
 * Every event of Claude Code. The first group also exists in the canonical catalogue under other names. The other events are fired
 * only by hosts.
 */
export const claudeEvents = {
  PreToolUse: {
    eventName: 'BeforeTool',
    subject: 'tool_name',
    ofTool: true,
    rejects: true,
    fields: ['permissionDecision', 'permissionDecisionReason', 'updatedInput', 'additionalContext'],
  },
  PostToolUse: {
    eventName: 'AfterTool',
    subject: 'tool_name',
    ofTool: true,
    rejects: true,
    fields: ['additionalContext', 'updatedToolOutput', 'updatedMCPToolOutput', 'classifierContext'],
  },
  PostToolUseFailure: {
    eventName: 'AfterTool',
    subject: 'tool_name',
    ofTool: true,
    rejects: true,
    // Claude Code ignores a new result of a failed tool. Tenterhook applies it, because the hook may have removed a secret.
    fields: ['additionalContext', 'updatedToolOutput', 'updatedMCPToolOutput'],
  },
  UserPromptSubmit: {
    eventName: 'BeforeAgent',
    takesText: true,
    rejects: true,
    timeoutS: 30,
    fields: ['additionalContext', 'sessionTitle', 'suppressOriginalPrompt'],
  },
  Stop: { eventName: 'AfterAgent', rejects: true, ignoresFailures: true, fields: context },
  SessionStart: {
    eventName: 'SessionStart',
    subject: 'source',
    values: ['startup', 'resume', 'clear', 'compact', 'fork'],
    takesText: true,
    givesEnvFile: true,
    types: early,
    fields: ['additionalContext', 'initialUserMessage', 'sessionTitle', 'watchPaths', 'reloadSkills'],
  },
  SessionEnd: {
    eventName: 'SessionEnd',
    subject: 'reason',
    values: ['clear', 'resume', 'logout', 'prompt_input_exit', 'other'],
    fields: [],
  },
  PreCompact: { eventName: 'PreCompress', subject: 'trigger', values: ['manual', 'auto'], rejects: true, fields: [] },
  Notification: { eventName: 'Notification', subject: 'notification_type', fields: context },
  PermissionRequest: { eventName: 'PermissionRequest', subject: 'tool_name', ofTool: true, fields: ['decision'] },
  PermissionDenied: { eventName: 'PermissionDenied', subject: 'tool_name', ofTool: true, fields: ['retry'] },
  PostToolBatch: { eventName: 'PostToolBatch', rejects: true, fields: context },
  UserPromptExpansion: {
    eventName: 'UserPromptExpansion',
    subject: 'command_name',
    takesText: true,
    rejects: true,
    fields: ['additionalContext', 'suppressOriginalPrompt'],
  },
  SubagentStart: { eventName: 'SubagentStart', subject: 'agent_type', fields: context },
  SubagentStop: { eventName: 'SubagentStop', subject: 'agent_type', rejects: true, ignoresFailures: true, fields: context },
  TaskCreated: { eventName: 'TaskCreated', ...task },
  TaskCompleted: { eventName: 'TaskCompleted', ignoresBlock: true, ignoresFailures: true, ...task },
  TeammateIdle: { eventName: 'TeammateIdle', ignoresBlock: true, ignoresFailures: true, ...task },
  ConfigChange: {
    eventName: 'ConfigChange',
    subject: 'source',
    values: ['user_settings', 'project_settings', 'local_settings', 'policy_settings', 'skills'],
    ...task,
  },
  PostCompact: { eventName: 'PostCompress', subject: 'trigger', values: ['manual', 'auto'], fields: [] },
  Setup: { eventName: 'Setup', subject: 'trigger', values: ['init', 'maintenance'], givesEnvFile: true, types: early, fields: context },
  StopFailure: { eventName: 'StopFailure', subject: 'error', isList: true, fields: [] },
  MessageDisplay: { eventName: 'MessageDisplay', timeoutS: 10, fields: ['displayContent'] },
  CwdChanged: { eventName: 'CwdChanged', givesEnvFile: true, fields: ['watchPaths'] },
  DirectoryAdded: { eventName: 'DirectoryAdded', subject: 'source', values: ['slash_command', 'register_repo_root'], ...notified },
  FileChanged: { eventName: 'FileChanged', subject: 'file_path', isList: true, givesEnvFile: true, fields: ['watchPaths'] },
  WorktreeCreate: { eventName: 'WorktreeCreate', rejects: 'any', fields: ['worktreePath'] },
  WorktreeRemove: { eventName: 'WorktreeRemove', ...notified },
  InstructionsLoaded: {
    eventName: 'InstructionsLoaded',
    subject: 'load_reason',
    values: ['session_start', 'nested_traversal', 'path_glob_match', 'include', 'compact'],
    ...notified,
  },
  Elicitation: { eventName: 'Elicitation', subject: 'mcp_server_name', rejects: true, fields: ['action', 'content'] },
  ElicitationResult: { eventName: 'ElicitationResult', subject: 'mcp_server_name', rejects: true, fields: ['action', 'content'] },
  PreModelSwitch: { eventName: 'PreModelSwitch', fields: ['permissionDecision', 'permissionDecisionReason'] },
  PostModelSwitch: { eventName: 'PostModelSwitch', fields: context },
} as const satisfies Record<string, EventEntry>;

export type ClaudeEvent = keyof typeof claudeEvents;

export const canonicalEvents: Readonly<Record<string, HookEventName>> = Object.fromEntries(
  Object.entries(claudeEvents).map(([name, { eventName }]) => [name, eventName]),
);

export function isClaudeEvent(name: unknown): name is ClaudeEvent {
  return typeof name === 'string' && Object.hasOwn(claudeEvents, name);
}

/** Returns the entry of an event, with a type that is the same for all events. */
export function factsOf(event: ClaudeEvent): EventEntry {
  return claudeEvents[event];
}
