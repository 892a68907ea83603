import type { HookEventName } from '@tenterhook/protocol';

/** What the hooks of one event receive, and which parts of their answers have an effect. */
export interface RelativeEvent {
  readonly eventName: HookEventName;
  /** The field of stdin that a matcher is compared with. Missing on events without such a field. */
  readonly subject?: string;
  /** The values of `subject`, if they are a closed list. */
  readonly values?: readonly string[];
  /** True if the event is about one tool call. */
  readonly ofTool?: true;
  /** Set if only tools that succeeded, or only tools that failed, fire the event. */
  readonly result?: 'success' | 'failure';
  /** True if plain text on stdout is context for the model. */
  readonly takesText?: true;
  /** True if exit code 2, or a printed deny, rejects the operation. */
  readonly rejects?: true;
  /** The fields of `hookSpecificOutput` that have an effect, besides decisions and `hookEventName`. */
  readonly fields: readonly ('updatedInput' | 'additionalContext')[];
}

const ofTool = { subject: 'tool_name', ofTool: true } as const;
const context = ['additionalContext'] as const;

/** The events of Claude Code that its relatives have, with what they have in common. */
export const commonEvents = {
  PreToolUse: { eventName: 'BeforeTool', ...ofTool, rejects: true, fields: ['updatedInput', 'additionalContext'] },
  PostToolUse: { eventName: 'AfterTool', ...ofTool, rejects: true, fields: context },
  PostToolUseFailure: { eventName: 'AfterTool', ...ofTool, result: 'failure', fields: context },
  PermissionRequest: { eventName: 'PermissionRequest', ...ofTool, rejects: true, fields: [] },
  PermissionDenied: { eventName: 'PermissionDenied', ...ofTool, fields: [] },
  UserPromptSubmit: { eventName: 'BeforeAgent', takesText: true, rejects: true, fields: context },
  Stop: { eventName: 'AfterAgent', rejects: true, fields: [] },
  SubagentStart: { eventName: 'SubagentStart', subject: 'agent_type', fields: context },
  SubagentStop: { eventName: 'SubagentStop', subject: 'agent_type', rejects: true, fields: [] },
  SessionStart: {
    eventName: 'SessionStart',
    subject: 'source',
    values: ['startup', 'resume', 'clear', 'compact'],
    takesText: true,
    fields: context,
  },
  SessionEnd: { eventName: 'SessionEnd', subject: 'reason', fields: [] },
  PreCompact: { eventName: 'PreCompress', subject: 'trigger', values: ['manual', 'auto'], fields: [] },
  Notification: { eventName: 'Notification', subject: 'notification_type', fields: [] },
} as const satisfies Record<string, RelativeEvent>;

/** Returns the common events with these names, in this order. */
export function common(...names: readonly (keyof typeof commonEvents)[]): Readonly<Record<string, RelativeEvent>> {
  return Object.fromEntries(names.map((name) => [name, commonEvents[name]]));
}

/** Removes what a matcher is compared with, for agents that ignore matchers on some events. */
export function unmatched({ subject: _subject, values: _values, ...event }: RelativeEvent): RelativeEvent {
  return event;
}
