import type { HookEventName } from '@tenterhook/protocol';

/** The kind of tool that an event is about. Cursor has further events for these kinds, besides `preToolUse` and `postToolUse`. */
export type CallKind = 'shell' | 'mcp' | 'read' | 'change';

/** What the hooks of one event receive, and which parts of their answers have an effect. */
interface EventEntry {
  readonly eventName: HookEventName;
  /** The field of stdin that a matcher is compared with. Missing on events without such a field. */
  readonly subject?: 'tool_name' | 'command' | 'subagent_type' | 'name';
  /** The word that a matcher is compared with if `subject` is `name`. */
  readonly sentinel?: string;
  /** True if the matcher is compared with names of tools. */
  readonly ofTool?: true;
  /** Set if only calls of this kind of tool fire the event. */
  readonly kind?: CallKind;
  /** Set if only tools that succeeded, or only tools that failed, fire the event. */
  readonly result?: 'success' | 'failure';
  /** True if Cursor denies when it cannot read the answer. */
  readonly isPermission?: true;
  /** True if Cursor obeys an ask. */
  readonly asks?: true;
  /** True if exit code 2 rejects the operation. */
  readonly rejects?: true;
  /** The fields of an answer that have an effect. */
  readonly output: readonly string[];
}

const permission = { isPermission: true, rejects: true } as const;
const messages = ['permission', 'user_message', 'agent_message'];
const before = { eventName: 'BeforeTool', ...permission } as const;
const after = { eventName: 'AfterTool', output: [] } as const;

/** Every event of Cursor. One call of a tool fires several of them. */
export const cursorEvents = {
  preToolUse: { ...before, subject: 'tool_name', ofTool: true, output: [...messages, 'updated_input'] },
  beforeShellExecution: { ...before, subject: 'command', kind: 'shell', asks: true, output: messages },
  beforeMCPExecution: { ...before, kind: 'mcp', asks: true, output: messages },
  beforeReadFile: { ...before, subject: 'tool_name', ofTool: true, kind: 'read', output: messages },
  postToolUse: {
    ...after,
    subject: 'tool_name',
    ofTool: true,
    result: 'success',
    output: ['additional_context', 'updated_mcp_tool_output'],
  },
  postToolUseFailure: { ...after, subject: 'tool_name', ofTool: true, result: 'failure' },
  afterShellExecution: { ...after, subject: 'command', kind: 'shell' },
  afterMCPExecution: { ...after, kind: 'mcp' },
  afterFileEdit: { ...after, kind: 'change', result: 'success' },
  beforeSubmitPrompt: {
    eventName: 'BeforeAgent',
    subject: 'name',
    sentinel: 'UserPromptSubmit',
    rejects: true,
    output: ['continue', 'user_message', 'additional_context'],
  },
  stop: { eventName: 'AfterAgent', subject: 'name', sentinel: 'Stop', output: ['followup_message'] },
  afterAgentResponse: { eventName: 'AfterModel', output: [] },
  afterAgentThought: { eventName: 'AfterAgentThought', output: [] },
  sessionStart: { eventName: 'SessionStart', output: ['env', 'additional_context', 'continue', 'user_message'] },
  sessionEnd: { eventName: 'SessionEnd', output: [] },
  preCompact: { eventName: 'PreCompress', output: ['user_message'] },
  subagentStart: {
    eventName: 'SubagentStart',
    ...permission,
    subject: 'subagent_type',
    output: ['permission', 'user_message'],
  },
  subagentStop: { eventName: 'SubagentStop', subject: 'subagent_type', output: ['followup_message'] },
  beforeTabFileRead: { eventName: 'BeforeTabFileRead', ...permission, output: ['permission'] },
  afterTabFileEdit: { eventName: 'AfterTabFileEdit', output: [] },
  workspaceOpen: { eventName: 'WorkspaceOpen', output: ['pluginPaths'] },
} as const satisfies Record<string, EventEntry>;

export type CursorEvent = keyof typeof cursorEvents;

export const cursorEventNames = Object.keys(cursorEvents) as CursorEvent[];

export const canonicalEvents: Readonly<Record<string, HookEventName>> = Object.fromEntries(
  Object.entries(cursorEvents).map(([name, { eventName }]) => [name, eventName]),
);

export function isCursorEvent(name: unknown): name is CursorEvent {
  return typeof name === 'string' && Object.hasOwn(cursorEvents, name);
}

/** Returns the entry of an event, with a type that is the same for all events. */
export function factsOf(event: CursorEvent): EventEntry {
  return cursorEvents[event];
}
