import type { HookWarning } from '@tenterhook/protocol';
import { DeadlineTimer } from '@tenterhook/runtime/async';
import { isSameJson } from '@tenterhook/runtime/json';
import { type CallEnd, callWithDeadline } from '../calling/call-with-deadline.js';
import { copyPlain } from '../calling/copy-plain.js';
import { callHandler, type HandlerContext, type HandlerWarning, type RegisteredHook, type Warn } from '../calling/handler.js';
import { type AttemptsEnd, afterFirstCall, toWarnings } from '../calling/run-attempts.js';
import { type DetachedCalls, isDetached, runDetached } from '../calling/run-detached.js';
import type { Hook } from '../definition/hook.js';
import type { UntypedHandlerEvent } from '../definition/hook-event.js';
import { type MatchSubject, toMatchSubject } from '../matching/compile-matcher.js';

/** The result of `fire`. The answer Skip becomes Continue with the rewrites before it (decision 37). */
export type HookResult = { readonly warnings: readonly HandlerWarning[] } & (
  | {
      readonly action: 'Continue';
      readonly modified?: Readonly<Record<string, unknown>>;
      readonly reason?: undefined;
      readonly retry_delay_ms?: undefined;
    }
  | { readonly action: 'Block'; readonly reason: string; readonly modified?: undefined; readonly retry_delay_ms?: undefined }
  /** The caller may try the operation again after this time, in milliseconds (decision 38). */
  | { readonly action: 'Retry'; readonly retry_delay_ms: number; readonly modified?: undefined; readonly reason?: undefined }
);

export interface DispatchContext {
  readonly signal: AbortSignal | undefined;
  readonly warn: Warn;
  readonly detached: DetachedCalls;
}

/**
 * Runs one event through the handlers of its type, one after another (seed 002 "Execution Flow"). It is for hosts without an agent
 * loop, and has the same rules as an event on the bus:
 * - Path and command patterns of a hook are compared with the original and the current arguments. One match is enough (design §6).
 * - If a handler rewrites the arguments, the handlers before it are called again with the new arguments.
 *
 * Never rejects. `hooks` must not change while the event runs.
 */
export async function dispatchEvent(
  fired: UntypedHandlerEvent,
  hooks: readonly RegisteredHook[],
  context: DispatchContext,
): Promise<HookResult> {
  // Copied, because the caller may change the event while a handler runs.
  const original = hooks.length > 1 ? copySafely(fired) : fired;
  let event = original;
  let modified: Readonly<Record<string, unknown>> | undefined;
  /** The index of the last handler that rewrote the arguments. The handlers before it have not seen the rewritten arguments. */
  let lastWriter = 0;
  /** The event after each handler's turn, from the first rewrite on. */
  const left: UntypedHandlerEvent[] = [];
  const asFired = toMatchSubject(original);
  let asRewritten = asFired;
  const calls = new HandlerCalls(context);
  const { warnings } = calls;
  try {
    for (const [index, registered] of hooks.entries()) {
      if (!isSelected(registered, asFired, asRewritten)) continue;
      const calling = calls.call(registered, event);
      // Only a promise is awaited. Awaiting each step would double the time of the handlers.
      const said = calling instanceof Promise ? await calling : calling;
      if (said === undefined) continue;
      if (said.kind === 'ended') return said.result;
      if (said.kind === 'skip') break;
      if (said.modified !== undefined) {
        const before = event;
        ({ event, modified } = applyModified(event, modified, said.modified));
        asRewritten = toMatchSubject(event);
        if (!isSameArgs(before, event)) lastWriter = index;
      }
      if (modified !== undefined) left[index] = event;
    }
    // The handlers before the last writer have not seen its arguments, so they are called again. The handlers after it have seen
    // them.
    for (const [index, registered] of hooks.slice(0, lastWriter).entries()) {
      const { hook, matcher } = registered;
      if (hook.config.recheck === false || isDetached(hook) || matcher.mismatch(asRewritten) !== undefined) continue;
      if (isSameArgs(left[index] ?? original, event)) continue;
      const said = await calls.call(registered, event);
      if (said?.kind === 'ended') return said.result;
      if (said?.kind === 'skip') break;
      if (said?.modified === undefined || isSameArgs(event, applyModified(event, modified, said.modified).event)) continue;
      return { action: 'Block', reason: rewritesAgain(hook.id), warnings };
    }
  } finally {
    calls.end();
  }
  return modified === undefined ? { action: 'Continue', warnings } : { action: 'Continue', modified, warnings };
}

type Said =
  | { readonly kind: 'ended'; readonly result: HookResult }
  | { readonly kind: 'skip'; readonly modified?: undefined }
  | { readonly kind: 'continue'; readonly modified?: Readonly<Record<string, unknown>> | undefined };

/** Calls the handlers of one event, and collects their warnings. */
class HandlerCalls {
  readonly warnings: HandlerWarning[] = [];
  readonly #context: DispatchContext;
  readonly #timer = new DeadlineTimer();

  constructor(context: DispatchContext) {
    this.#context = context;
  }

  /** Calls a handler. Returns undefined if the event does not wait for the answer. */
  call(registered: RegisteredHook, given: UntypedHandlerEvent): Said | undefined | Promise<Said> {
    const { hook, handler } = registered;
    const { signal, detached, warn } = this.#context;
    if (handler === undefined) {
      if (hook.config.onError === 'block') this.#add({ hook_id: hook.id, ...noHandler(hook.id) });
      return undefined;
    }
    if (isDetached(hook)) {
      void runDetached({ ...registered, handler }, given, detached, warn);
      return undefined;
    }
    const call = (context: HandlerContext) => callHandler(handler, given, context);
    const calling = signal?.aborted ? cancelled : callWithDeadline(call, hook.config.timeout_ms, signal, this.#timer);
    if (calling instanceof Promise) return calling.then((end) => this.#afterFirst(end, registered, call));
    return this.#afterFirst(calling, registered, call);
  }

  end(): void {
    this.#timer.end();
  }

  #afterFirst(first: CallEnd, registered: RegisteredHook, call: (context: HandlerContext) => unknown): Said | Promise<Said> {
    const running = afterFirstCall(first, registered, call, this.#context.signal);
    return running instanceof Promise ? running.then((end) => this.#read(end, registered.hook)) : this.#read(running, registered.hook);
  }

  #read(end: AttemptsEnd, { id, config }: Hook): Said {
    const { warnings } = this;
    if (end.kind !== 'answered' || end.warnings.length > 0) for (const warning of toWarnings(id, end, false)) this.#add(warning);
    if (end.kind !== 'answered') {
      const cause = end.kind === 'failed' ? end : notAnswered(id);
      if (end.kind === 'cancelled') this.#add({ hook_id: id, ...cause });
      if (config.onError !== 'block') return { kind: 'continue' };
      return { kind: 'ended', result: { action: 'Block', reason: deniesForFailure(id, cause.message), warnings } };
    }
    const { answer } = end;
    if (answer.kind === 'block') return { kind: 'ended', result: { action: 'Block', reason: answer.reason, warnings } };
    if (answer.kind === 'retry') return { kind: 'ended', result: { action: 'Retry', retry_delay_ms: answer.delayMs, warnings } };
    return answer.kind === 'skip' ? { kind: 'skip' } : answer;
  }

  #add(warning: HandlerWarning): void {
    this.warnings.push(warning);
    this.#context.warn(warning);
  }
}

/** Compares the arguments of the tool. Other fields are not used after the event. */
function isSameArgs(one: UntypedHandlerEvent, other: UntypedHandlerEvent): boolean {
  return one.event_type !== 'pre_tool_use' || isSameJson(one.payload.args, (other.payload as typeof one.payload).args);
}

function rewritesAgain(hookId: string): string {
  return `Hook "${hookId}" ran again on arguments that another handler had rewritten, and rewrote them again. Return no rewrite for arguments that need no change, or set recheck to false for a hook that never blocks.`;
}

const cancelled: CallEnd = Object.freeze({ kind: 'cancelled' });

function notAnswered(hookId: string): HookWarning {
  return { code: 'cancelled', message: `The event was cancelled before "${hookId}" answered.` };
}

function noHandler(hookId: string): HookWarning {
  const message = `No handler is registered for "${hookId}", so the hook checks nothing, although its onError is "block". Call register_handler("${hookId}", …).`;
  return { code: 'no-handler', message };
}

/** In an agent, an outcome with `failedClosed` has the same text. */
function deniesForFailure(hookId: string, cause: string): string {
  return `Hook "${hookId}" denies because it could not do its work (onError: block). ${cause}`;
}

function isSelected({ matcher }: RegisteredHook, asFired: MatchSubject, asRewritten: MatchSubject): boolean {
  return matcher.mismatch(asFired) === undefined || (asFired !== asRewritten && matcher.mismatch(asRewritten) === undefined);
}

/**
 * Returns a copy of the event, or the event itself if it cannot be copied. The call of a handler then fails for the same reason,
 * and that failure is reported.
 */
function copySafely(event: UntypedHandlerEvent): UntypedHandlerEvent {
  try {
    return copyPlain(event);
  } catch {
    return event;
  }
}

/**
 * The event for the next handler (decision 36), and all rewrites up to now. Arguments are replaced as a whole, and other fields are
 * merged.
 */
interface Rewritten {
  readonly event: UntypedHandlerEvent;
  readonly modified: Readonly<Record<string, unknown>>;
}

function applyModified(
  event: UntypedHandlerEvent,
  before: Readonly<Record<string, unknown>> | undefined,
  modified: Readonly<Record<string, unknown>>,
): Rewritten {
  const { event_type, payload } = event;
  switch (event_type) {
    case 'pre_tool_use':
      return { event: { event_type, payload: { ...payload, args: modified } }, modified };
    case 'post_tool_use':
      return {
        event: { event_type, payload: { ...payload, result: { ...payload.result, ...modified } } },
        modified: { ...before, ...modified },
      };
    case 'generate_start':
    case 'generate_end':
    case 'session_start':
    case 'session_end':
      return { event: { event_type, payload: { ...payload, ...modified } }, modified: { ...before, ...modified } };
  }
}
