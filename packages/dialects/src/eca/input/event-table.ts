import type { HookEventName } from '@tenterhook/protocol';

/** One type of hook: what ECA passes to it, and which answers count (decision 56). */
interface TypeEntry {
  readonly eventName: HookEventName;
  /** The event is of a chat, which the input names. */
  readonly inChat: boolean;
  /** The event is of a tool, which a matcher is tested against. */
  readonly ofTool?: true;
  /** `additionalContext` and plain text reach the model. */
  readonly takesContext?: true;
  /** Exit code 2 rejects (decisions 50 and 59). */
  readonly rejects?: true;
}

export const ecaTypes = {
  sessionStart: { eventName: 'HostStart', inChat: false },
  sessionEnd: { eventName: 'HostEnd', inChat: false },
  chatStart: { eventName: 'SessionStart', inChat: true, takesContext: true },
  chatEnd: { eventName: 'SessionEnd', inChat: true },
  preRequest: { eventName: 'BeforeAgent', inChat: true, takesContext: true, rejects: true },
  postRequest: { eventName: 'AfterAgent', inChat: true },
  preToolCall: { eventName: 'BeforeTool', inChat: true, ofTool: true, takesContext: true, rejects: true },
  postToolCall: { eventName: 'AfterTool', inChat: true, ofTool: true, takesContext: true, rejects: true },
} as const satisfies Record<string, TypeEntry>;

export type EcaType = keyof typeof ecaTypes;

/** Spellings of earlier versions. Hooks get the present one. */
const oldSpellings: Readonly<Record<string, EcaType>> = { prePrompt: 'preRequest', postPrompt: 'postRequest' };

/** Every spelling of a type, and its canonical event. */
export const ecaEvents: Readonly<Record<string, HookEventName>> = Object.fromEntries(
  [...Object.keys(ecaTypes), ...Object.keys(oldSpellings)].map((type) => [type, entryOf(typeOf(type) as EcaType).eventName]),
);

/** The type that a text names, in the present spelling. */
export function typeOf(text: unknown): EcaType | undefined {
  if (typeof text !== 'string') return undefined;
  if (Object.hasOwn(ecaTypes, text)) return text as EcaType;
  return Object.hasOwn(oldSpellings, text) ? oldSpellings[text] : undefined;
}

/** The type of an event; undefined for an event that ECA does not have. */
export function typeOfEvent(eventName: HookEventName): EcaType | undefined {
  return (Object.keys(ecaTypes) as EcaType[]).find((type) => ecaTypes[type].eventName === eventName);
}

/** The entry with its fields widened, for code that handles all types alike. */
export function entryOf(type: EcaType): TypeEntry {
  return ecaTypes[type];
}
