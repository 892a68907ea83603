import type { HookWarning } from '@tenterhook/protocol';
import type { Hook } from '../definition/hook.js';
import type { EventFor, HookEvent, UntypedHookEvent } from '../definition/hook-event.js';
import type { HookEventType } from '../definition/hook-event-type.js';
import type { HookResponse } from '../definition/hook-response.js';
import type { CompiledMatcher } from '../matching/compile-matcher.js';
import { copyPlain } from './copy-plain.js';

/** What a handler receives in addition to its event. */
export interface HandlerContext {
  /** Aborts at the deadline, and when the event is cancelled; `signal.reason` says which. A later answer is ignored. */
  readonly signal: AbortSignal;
}

/** Nothing means Continue. */
// biome-ignore lint/suspicious/noConfusingVoidType: a function without a return statement is a handler too.
export type HandlerAnswer = HookResponse | null | undefined | void;

/** The function of a hook. It may answer at once or with a promise (decision 41); each call receives its own copy of the event. */
export interface HookHandler<Type extends HookEventType = HookEventType> {
  // A property and not a method: for a method the compiler would accept an event of another type.
  /** Called for each event of its hook. A throw, and a promise that rejects, is a failure of the hook. */
  readonly handle: (event: EventFor<Type>, context: HandlerContext) => HandlerAnswer | Promise<HandlerAnswer>;
}

/** A hook with what runs it. Never changed: an event in flight keeps those it began with. */
export interface RegisteredHook {
  readonly hook: Hook;
  readonly matcher: CompiledMatcher;
  /** Absent: no handler is registered for it, and it means Continue. */
  readonly handler: HookHandler | undefined;
  /** Where it is, and whether it can be reached, for `explain`. @default in this process */
  readonly standing?: () => string;
}

/** A warning about one hook. */
export interface HandlerWarning extends HookWarning {
  readonly hook_id: string;
  /** It came after its event had been answered. */
  readonly late?: true;
}

/** Receives warnings as they occur. */
export type Warn = (warning: HandlerWarning) => void;

/** Every call gets its own copy, including a second one, since the first may have changed its copy before it threw. */
export function callHandler(handler: HookHandler, { event_type, payload }: UntypedHookEvent, context: HandlerContext): unknown {
  return handler.handle({ event_type, payload: copyPlain(payload) } as HookEvent, context);
}
