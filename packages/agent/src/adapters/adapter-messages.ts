import type { AggregatedHookResult, HookEventName } from '@tenterhook/protocol';
import { collectMessages, formatContextBlock, type HookMessages } from '../client/hook-messages.js';

/** A message of hooks that an adapter passes to the application. */
export interface AdapterMessage {
  readonly text: string;
  /** `everyone`: the model reads the message too. `user`: it is only for the user. */
  readonly audience: 'user' | 'everyone';
  /** The event whose hooks wrote the message, or to which it belongs. */
  readonly eventName: string;
}

/** Receives a message. What it throws, and a promise of it that rejects, is ignored. */
export type OnMessage = (message: AdapterMessage) => void;

/** A result of an operation with hooks, by the event that gave it. */
export type EventResult = readonly [eventName: HookEventName, result: AggregatedHookResult | undefined];

/** Passes one message on. Nothing that `onMessage` does harms the agent. */
export function tellMessage(onMessage: OnMessage | undefined, message: AdapterMessage): void {
  if (onMessage === undefined) return;
  try {
    // An async function returns a promise at run time. Its rejection would end the process.
    const returned: unknown = onMessage(message);
    if (returned instanceof Promise) returned.catch(() => {});
  } catch {
    // The message is lost, and the operation goes on.
  }
}

/**
 * Passes the messages of an operation on, in their order: `systemMessages` for everyone, `userMessages` for the user. `events` are the
 * results of the operation in the order in which they were fired. Answers of async hooks are in none of them, and get the last event.
 */
export function tellMessages(onMessage: OnMessage | undefined, messages: HookMessages, events: readonly EventResult[]): void {
  if (onMessage === undefined) return;
  const sources = events.map(([eventName, result]) => ({ eventName, ...collectMessages([result]) }));
  const last = events.at(-1)?.[0] ?? 'Notification';
  const tell = (texts: readonly string[], field: 'systemMessages' | 'userMessages', audience: AdapterMessage['audience']) => {
    for (const text of texts) {
      const eventName = sources.find((source) => source[field].includes(text))?.eventName ?? last;
      tellMessage(onMessage, { text, audience, eventName });
    }
  };
  tell(messages.systemMessages, 'systemMessages', 'everyone');
  tell(messages.userMessages, 'userMessages', 'user');
}

/** The results of a finished or reviewed tool call, for `tellMessages`. */
export function toolEvents(call: {
  readonly before?: AggregatedHookResult | undefined;
  readonly permission?: AggregatedHookResult | undefined;
  readonly recheck?: AggregatedHookResult | undefined;
  readonly after?: AggregatedHookResult | undefined;
}): EventResult[] {
  return [
    ['BeforeTool', call.before],
    ['PermissionRequest', call.permission],
    ['BeforeTool', call.recheck],
    ['AfterTool', call.after],
  ];
}

/** The results of a finished model call, for `tellMessages`. */
export function modelEvents(call: {
  readonly selection?: AggregatedHookResult | undefined;
  readonly before?: AggregatedHookResult | undefined;
  readonly after?: AggregatedHookResult | undefined;
}): EventResult[] {
  return [
    ['BeforeToolSelection', call.selection],
    ['BeforeModel', call.before],
    ['AfterModel', call.after],
  ];
}

/** Returns the system messages as blocks for the model, in the form of context. */
export function toNotes({ systemMessages }: Pick<HookMessages, 'systemMessages'>): string[] {
  return systemMessages.flatMap((text) => formatContextBlock(text) ?? []);
}
