import type { HookEventName } from '@tenterhook/protocol';

/** What the hooks of one event receive, and which answers Codex accepts. */
interface EventEntry {
  readonly eventName: HookEventName;
  /** The field of stdin that a matcher is compared with. Missing on events without such a field. */
  readonly subject?: string;
  /** The values of `subject`, if they are a closed list. */
  readonly values?: readonly string[];
  /** True if the event is about one tool call. */
  readonly ofTool?: true;
  /** The fields on stdin, besides `session_id`, `transcript_path`, `cwd` and `hook_event_name`. */
  readonly input: readonly string[];
  /** True if hooks inside a subagent receive `agent_id` and `agent_type`. */
  readonly inSubagent?: true;
  /** True if plain text on stdout is context for the model. */
  readonly takesText?: true;
  /** True if stdout must be empty or JSON. */
  readonly insistsOnJson?: true;
  /** True if a printed `block`, or exit code 2, rejects the operation. */
  readonly rejects?: true;
  /** The fields at the top level of an answer, besides those of every event. */
  readonly top: readonly string[];
  /** The fields of `hookSpecificOutput`. Missing if Codex does not know this field on the event. */
  readonly specific?: readonly string[];
  /** The longest timeout in seconds. @default no limit */
  readonly maxTimeoutS?: number;
}

const turn = ['turn_id', 'model', 'permission_mode'];
const context = ['additionalContext'];
const decided = ['decision', 'reason'];

/** Every event of Codex. */
export const codexEvents = {
  PreToolUse: {
    eventName: 'BeforeTool',
    subject: 'tool_name',
    ofTool: true,
    input: [...turn, 'tool_name', 'tool_input', 'tool_use_id'],
    inSubagent: true,
    rejects: true,
    top: decided,
    specific: ['permissionDecision', 'permissionDecisionReason', 'updatedInput', 'additionalContext'],
  },
  PermissionRequest: {
    eventName: 'PermissionRequest',
    subject: 'tool_name',
    ofTool: true,
    input: [...turn, 'tool_name', 'tool_input'],
    inSubagent: true,
    rejects: true,
    top: [],
    specific: ['decision'],
  },
  PostToolUse: {
    eventName: 'AfterTool',
    subject: 'tool_name',
    ofTool: true,
    input: [...turn, 'tool_name', 'tool_input', 'tool_response', 'tool_use_id'],
    inSubagent: true,
    rejects: true,
    top: decided,
    specific: ['additionalContext', 'updatedMCPToolOutput'],
  },
  UserPromptSubmit: {
    eventName: 'BeforeAgent',
    input: [...turn, 'prompt'],
    inSubagent: true,
    takesText: true,
    rejects: true,
    top: decided,
    specific: context,
  },
  Stop: {
    eventName: 'AfterAgent',
    input: [...turn, 'stop_hook_active', 'last_assistant_message'],
    insistsOnJson: true,
    rejects: true,
    top: decided,
  },
  SessionStart: {
    eventName: 'SessionStart',
    subject: 'source',
    values: ['startup', 'resume', 'clear', 'compact', 'fork'],
    input: ['model', 'permission_mode', 'source'],
    takesText: true,
    top: [],
    specific: context,
  },
  SessionEnd: { eventName: 'SessionEnd', input: ['reason'], top: [], maxTimeoutS: 3 },
  PreCompact: {
    eventName: 'PreCompress',
    subject: 'trigger',
    values: ['manual', 'auto'],
    input: ['turn_id', 'model', 'trigger'],
    inSubagent: true,
    top: [],
  },
  PostCompact: {
    eventName: 'PostCompress',
    subject: 'trigger',
    values: ['manual', 'auto'],
    input: ['turn_id', 'model', 'trigger'],
    inSubagent: true,
    top: [],
  },
  SubagentStart: {
    eventName: 'SubagentStart',
    subject: 'agent_type',
    input: [...turn, 'agent_id', 'agent_type'],
    takesText: true,
    top: [],
    specific: context,
  },
  SubagentStop: {
    eventName: 'SubagentStop',
    subject: 'agent_type',
    input: [...turn, 'agent_id', 'agent_type', 'agent_transcript_path', 'last_assistant_message', 'stop_hook_active'],
    insistsOnJson: true,
    rejects: true,
    top: decided,
  },
  Interrupt: { eventName: 'Interrupt', input: turn, top: [], maxTimeoutS: 3 },
} as const satisfies Record<string, EventEntry>;

export type CodexEvent = keyof typeof codexEvents;

export const codexEventNames = Object.keys(codexEvents) as CodexEvent[];

export const canonicalEvents: Readonly<Record<string, HookEventName>> = Object.fromEntries(
  Object.entries(codexEvents).map(([name, { eventName }]) => [name, eventName]),
);

export function isCodexEvent(name: unknown): name is CodexEvent {
  return typeof name === 'string' && Object.hasOwn(codexEvents, name);
}

/** Returns the entry of an event, with a type that is the same for all events. */
export function factsOf(event: CodexEvent): EventEntry {
  return codexEvents[event];
}
