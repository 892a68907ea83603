import type { EventFor } from '../definition/hook-event.js';
import type { HookEventType } from '../definition/hook-event-type.js';
import type { HookResponse } from '../definition/hook-response.js';

/** What a handler is told beside its event. */
export interface HandlerContext {
  /** Aborts at the deadline, and when the event is cancelled; `signal.reason` says which. What comes after it is not heard. */
  readonly signal: AbortSignal;
}

/** Nothing means Continue. */
// biome-ignore lint/suspicious/noConfusingVoidType: a function without a return statement is a handler too.
export type HandlerAnswer = HookResponse | null | undefined | void;

/** The function of a hook. It may answer at once or with a promise (decision 41); the event is a copy of its own. */
export interface HookHandler<Type extends HookEventType = HookEventType> {
  // A property and not a method: of a method the compiler lets the event be of another type.
  readonly handle: (event: EventFor<Type>, context: HandlerContext) => HandlerAnswer | Promise<HandlerAnswer>;
}
