import type { HookEventName } from '@tenterhook/protocol';

/** What the hooks of one event receive, and which parts of their answers have an effect. */
interface EventEntry {
  readonly eventName: HookEventName;
  /**
   * True if the event is about one tool call. Its hooks are in groups with a matcher, which is compared with the name of the tool. The hooks
   * of the other events are a plain list.
   */
  readonly ofTool?: true;
  /** True if every failure of a hook denies, and every output that is not a valid answer. */
  readonly isGate?: true;
  /** True if exit code 2 is a deny. */
  readonly rejects?: true;
  /** The fields of an answer that have an effect. */
  readonly output: readonly string[];
}

/** Every event of Antigravity. `SessionStart` is missing in its documents, but its command line fires it. */
const events = {
  PreToolUse: {
    eventName: 'BeforeTool',
    ofTool: true,
    isGate: true,
    rejects: true,
    output: ['decision', 'reason', 'overwrite', 'permissionOverrides'],
  },
  PostToolUse: { eventName: 'AfterTool', ofTool: true, output: [] },
  PreInvocation: { eventName: 'BeforeModel', output: ['injectSteps'] },
  PostInvocation: { eventName: 'AfterModel', output: ['terminationBehavior', 'injectSteps'] },
  Stop: { eventName: 'AfterAgent', rejects: true, output: ['decision', 'reason'] },
  SessionStart: { eventName: 'SessionStart', output: ['injectSteps'] },
} as const satisfies Record<string, EventEntry>;

export type AntigravityEvent = keyof typeof events;

export const antigravityEventNames = Object.keys(events) as AntigravityEvent[];

export const antigravityEvents: Readonly<Record<string, { readonly eventName: HookEventName }>> = events;

export const canonicalEvents: Readonly<Record<string, HookEventName>> = Object.fromEntries(
  Object.entries(events).map(([event, { eventName }]) => [event, eventName]),
);

export function isAntigravityEvent(name: unknown): name is AntigravityEvent {
  return typeof name === 'string' && Object.hasOwn(events, name);
}

/** Returns the entry of an event, with a type that is the same for all events. */
export function factsOf(event: AntigravityEvent): EventEntry {
  return events[event];
}
