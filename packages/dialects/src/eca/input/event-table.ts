import type { HookEventName } from '@tenterhook/protocol';

/** What ECA passes to one type of hook, and which answers have an effect (decision 56). */
interface TypeEntry {
  readonly eventName: HookEventName;
  /** True if the event belongs to a chat, which the input then names. */
  readonly inChat: boolean;
  /** True if the event is about a tool. A matcher is compared with this tool. */
  readonly ofTool?: true;
  /** The values of a matcher, for events of a compaction. */
  readonly triggers?: readonly string[];
  /** True if `additionalContext` and plain text reach the model. */
  readonly takesContext?: true;
  /** True if the event is about a subagent. A subagent has a chat of its own. */
  readonly ofSubagent?: true;
  /** True if ECA shows messages of the hook in the chat. */
  readonly hasChatView?: true;
  /** True if `followUp` makes the agent continue. */
  readonly takesFollowUp?: true;
  /** True if exit code 2 has an effect: it rejects the operation (decisions 50 and 59), or makes the agent continue. */
  readonly rejects?: true;
}

const compaction = { inChat: true, hasChatView: true, triggers: ['manual', 'auto'] } as const;

export const ecaTypes = {
  sessionStart: { eventName: 'HostStart', inChat: false },
  sessionEnd: { eventName: 'HostEnd', inChat: false },
  chatStart: { eventName: 'SessionStart', inChat: true, hasChatView: true, takesContext: true },
  chatEnd: { eventName: 'SessionEnd', inChat: true },
  preRequest: { eventName: 'BeforeAgent', inChat: true, hasChatView: true, takesContext: true, rejects: true },
  postRequest: { eventName: 'AfterAgent', inChat: true, hasChatView: true, takesFollowUp: true, rejects: true },
  preToolCall: { eventName: 'BeforeTool', inChat: true, hasChatView: true, ofTool: true, takesContext: true, rejects: true },
  postToolCall: { eventName: 'AfterTool', inChat: true, hasChatView: true, ofTool: true, takesContext: true, rejects: true },
  subagentStart: { eventName: 'SubagentStart', inChat: true, hasChatView: true, ofSubagent: true, takesContext: true },
  subagentPostRequest: { eventName: 'SubagentStop', inChat: true, hasChatView: true, ofSubagent: true, takesFollowUp: true, rejects: true },
  preCompact: { ...compaction, eventName: 'PreCompress', rejects: true },
  postCompact: { ...compaction, eventName: 'PostCompress' },
} as const satisfies Record<string, TypeEntry>;

export type EcaType = keyof typeof ecaTypes;

/** Names of types in earlier versions. Hooks receive the present name. */
const oldSpellings: Readonly<Record<string, EcaType>> = { prePrompt: 'preRequest', postPrompt: 'postRequest' };

/** The canonical event of each type. Former names of types are included. */
export const ecaEvents: Readonly<Record<string, HookEventName>> = Object.fromEntries(
  [...Object.keys(ecaTypes), ...Object.keys(oldSpellings)].map((type) => [type, entryOf(typeOf(type) as EcaType).eventName]),
);

/** Returns the type that a text names. For a former name, the result is the present name. */
export function typeOf(text: unknown): EcaType | undefined {
  if (typeof text !== 'string') return undefined;
  if (Object.hasOwn(ecaTypes, text)) return text as EcaType;
  return Object.hasOwn(oldSpellings, text) ? oldSpellings[text] : undefined;
}

/** Returns the type of an event, or undefined for an event that ECA does not have. */
export function typeOfEvent(eventName: HookEventName): EcaType | undefined {
  return (Object.keys(ecaTypes) as EcaType[]).find((type) => ecaTypes[type].eventName === eventName);
}

/** Returns the entry of a hook type, with a type that is the same for all entries. */
export function entryOf(type: EcaType): TypeEntry {
  return ecaTypes[type];
}
