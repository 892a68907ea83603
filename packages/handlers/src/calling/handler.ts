import type { HookWarning, RemoteEngineIdentity } from '@tenterhook/protocol';
import type { Hook } from '../definition/hook.js';
import type { EventFor, HandlerEvent, UntypedHandlerEvent } from '../definition/hook-event.js';
import type { HookEventType } from '../definition/hook-event-type.js';
import type { HookResponse } from '../definition/hook-response.js';
import type { CompiledMatcher } from '../matching/compile-matcher.js';
import { copyPlain } from './copy-plain.js';

/** The second argument of a handler, after its event. */
export interface HandlerContext {
  /**
   * Aborts at the deadline of the call, or when the event is cancelled. `signal.reason` has the cause. An answer after the abort is
   * ignored.
   */
  readonly signal: AbortSignal;
}

/** What a handler returns. No answer means Continue. */
// biome-ignore lint/suspicious/noConfusingVoidType: a function without a return statement is a handler too.
export type HandlerAnswer = HookResponse | null | undefined | void;

/** The function of a hook. It returns its answer or a promise of it (decision 41). Each call receives its own copy of the event. */
export interface HookHandler<Type extends HookEventType = HookEventType> {
  // A property, because TypeScript would accept a method for another event type.
  /** Called for each event of its hook. If it throws, or its promise rejects, the hook has failed. */
  readonly handle: (event: EventFor<Type>, context: HandlerContext) => HandlerAnswer | Promise<HandlerAnswer>;
}

/** A hook with its handler. The object never changes, so that an event in progress keeps the handlers that it started with. */
export interface RegisteredHook {
  readonly hook: Hook;
  readonly matcher: CompiledMatcher;
  /** Undefined if no handler is registered for the hook. The hook then has no effect. */
  readonly handler: HookHandler | undefined;
  /**
   * Returns a text for `explain`: where the hook runs, and whether that place can be reached. @default the hook runs in this
   * process
   */
  readonly standing?: () => string;
  /** The engine in another process that has the handler. @default the handler is in this process */
  readonly engine?: RemoteEngineIdentity;
  /** A sentence for the user, about what to do if the handler fails. @default the sentence describes `onError` */
  readonly remedy?: string;
}

/** A warning about one hook. */
export interface HandlerWarning extends HookWarning {
  readonly hook_id: string;
  /** True if the warning came after the answer to the event. */
  readonly late?: true;
}

export type Warn = (warning: HandlerWarning) => void;

/**
 * Calls a handler with its own copy of the event. A repeated call gets a new copy, because the handler may have changed the
 * previous one.
 */
export function callHandler(handler: HookHandler, { event_type, payload }: UntypedHandlerEvent, context: HandlerContext): unknown {
  return handler.handle({ event_type, payload: copyPlain(payload) } as HandlerEvent, context);
}
