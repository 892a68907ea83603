import type { HookEventName } from '@tenterhook/protocol';

/** What the hooks of one event receive, and which parts of their answers have an effect. */
interface EventEntry {
  readonly eventName: HookEventName;
  /** The field of stdin that a matcher is compared with. Missing on events without such a field. */
  readonly subject?: 'toolName' | 'notification_type' | 'trigger' | 'agentName';
  /** True if the matcher is compared with names of tools. */
  readonly ofTool?: true;
  /** True if only calls of MCP tools fire the event. */
  readonly ofMcp?: true;
  /** Set if only tools that succeeded, or only tools that failed, fire the event. */
  readonly result?: 'success' | 'failure';
  /** What exit code 2 does. @default it is a warning */
  readonly exit2?: 'deny' | 'context';
  /** True if every failure of a command denies, except a timeout. */
  readonly deniesOnCrash?: true;
  /** True if the fields are written as for a key with a small letter, whatever the spelling of the key is. */
  readonly isAlwaysCamel?: true;
  /** True if only some versions of Copilot obey the context of a hook. */
  readonly isUncertain?: true;
  /** The fields of an answer that have an effect. */
  readonly output: readonly string[];
}

const context = ['additionalContext'] as const;
const goesOn = ['decision', 'reason'] as const;

/** Every event of Copilot by its name with a small first letter. */
const ownEvents = {
  preToolUse: {
    eventName: 'BeforeTool',
    subject: 'toolName',
    ofTool: true,
    exit2: 'deny',
    deniesOnCrash: true,
    output: ['permissionDecision', 'permissionDecisionReason', 'modifiedArgs', 'additionalContext'],
  },
  preMcpToolCall: { eventName: 'BeforeTool', subject: 'toolName', ofTool: true, ofMcp: true, output: [] },
  postToolUse: {
    eventName: 'AfterTool',
    subject: 'toolName',
    ofTool: true,
    result: 'success',
    output: ['modifiedResult', 'additionalContext'],
  },
  postToolUseFailure: {
    eventName: 'AfterTool',
    subject: 'toolName',
    ofTool: true,
    result: 'failure',
    exit2: 'context',
    output: context,
  },
  userPromptSubmitted: { eventName: 'BeforeAgent', isUncertain: true, output: [...context, ...goesOn, 'modifiedPrompt'] },
  agentStop: { eventName: 'AfterAgent', output: goesOn },
  sessionStart: { eventName: 'SessionStart', output: context },
  sessionEnd: { eventName: 'SessionEnd', output: [] },
  preCompact: { eventName: 'PreCompress', subject: 'trigger', output: [] },
  notification: { eventName: 'Notification', subject: 'notification_type', isAlwaysCamel: true, output: context },
  permissionRequest: {
    eventName: 'PermissionRequest',
    subject: 'toolName',
    ofTool: true,
    exit2: 'deny',
    isAlwaysCamel: true,
    output: ['behavior', 'message', 'interrupt'],
  },
  subagentStart: { eventName: 'SubagentStart', subject: 'agentName', output: context },
  subagentStop: { eventName: 'SubagentStop', subject: 'agentName', output: goesOn },
  userPromptTransformed: { eventName: 'UserPromptTransformed', output: [] },
  errorOccurred: { eventName: 'ErrorOccurred', output: [] },
  postResult: { eventName: 'PostResult', output: [] },
  prePRDescription: { eventName: 'PrePRDescription', output: [] },
} as const satisfies Record<string, EventEntry>;

export type CopilotEvent = keyof typeof ownEvents;

export const copilotEventNames = Object.keys(ownEvents) as CopilotEvent[];

/** The keys with a capital letter, as in Claude Code. The names of these two events differ in more than the first letter. */
const pascalKeys: Readonly<Record<string, CopilotEvent>> = Object.fromEntries(
  copilotEventNames.map((event) => [
    event === 'userPromptSubmitted' ? 'UserPromptSubmit' : event === 'agentStop' ? 'Stop' : `${event[0]?.toUpperCase()}${event.slice(1)}`,
    event,
  ]),
);

/** The keys of events in settings: both spellings of each event. */
export const eventKeys: Readonly<Record<string, { readonly eventName: HookEventName }>> = {
  ...ownEvents,
  ...Object.fromEntries(Object.entries(pascalKeys).map(([key, event]) => [key, ownEvents[event]])),
};

export const canonicalEvents: Readonly<Record<string, HookEventName>> = Object.fromEntries(
  Object.entries(eventKeys).map(([key, { eventName }]) => [key, eventName]),
);

/** Returns the event of a key in either spelling, or undefined for any other key. */
export function eventOfKey(key: unknown): CopilotEvent | undefined {
  if (typeof key !== 'string') return undefined;
  if (Object.hasOwn(ownEvents, key)) return key as CopilotEvent;
  return Object.hasOwn(pascalKeys, key) ? pascalKeys[key] : undefined;
}

/** Tests whether a key has the spelling of Claude Code. */
export function isPascal(key: string): boolean {
  return Object.hasOwn(pascalKeys, key);
}

/** Returns the key of an event in the spelling of Claude Code. */
export function pascalKeyOf(event: CopilotEvent): string {
  return Object.keys(pascalKeys).find((key) => pascalKeys[key] === event) as string;
}

/** Returns the entry of an event, with a type that is the same for all events. */
export function factsOf(event: CopilotEvent): EventEntry {
  return ownEvents[event];
}
