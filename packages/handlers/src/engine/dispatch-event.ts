import type { HookWarning } from '@tenterhook/protocol';
import { type CallEnd, CallTimer, callWithDeadline } from '../calling/call-with-deadline.js';
import { copyPlain } from '../calling/copy-plain.js';
import { callHandler, type HandlerContext, type HandlerWarning, type RegisteredHook, type Warn } from '../calling/handler.js';
import { afterFirstCall, toWarnings } from '../calling/run-attempts.js';
import { type DetachedCalls, runDetached } from '../calling/run-detached.js';
import type { UntypedHookEvent } from '../definition/hook-event.js';
import { type MatchSubject, toMatchSubject } from '../matching/compile-matcher.js';

/** The result of `fire`. Never Skip: that is Continue with what was modified so far (decision 37). */
export type HookResult = { readonly warnings: readonly HandlerWarning[] } & (
  | {
      readonly action: 'Continue';
      readonly modified?: Readonly<Record<string, unknown>>;
      readonly reason?: undefined;
      readonly retry_delay_ms?: undefined;
    }
  | { readonly action: 'Block'; readonly reason: string; readonly modified?: undefined; readonly retry_delay_ms?: undefined }
  /** The caller may do the operation again after this time (decision 38). */
  | { readonly action: 'Retry'; readonly retry_delay_ms: number; readonly modified?: undefined; readonly reason?: undefined }
);

/** What an engine provides for its events. */
export interface DispatchContext {
  readonly signal: AbortSignal | undefined;
  readonly warn: Warn;
  readonly detached: DetachedCalls;
}

/**
 * Runs one event through the handlers of its type, one after another (seed 002 "Execution Flow"), by the rules of an agent's plan, for hosts
 * without an agent loop. `hooks` are fixed when the event begins. Path and command patterns are tested at each hook's turn, on the original and
 * on the current arguments, and a match on either runs the hook (design §6). Never rejects.
 */
export async function dispatchEvent(
  fired: UntypedHookEvent,
  hooks: readonly RegisteredHook[],
  { signal, warn, detached }: DispatchContext,
): Promise<HookResult> {
  // The caller may change its event while the first handler runs, and the next guard must see the event as it was fired.
  const original = hooks.length > 1 ? copySafely(fired) : fired;
  let event = original;
  let modified: Readonly<Record<string, unknown>> | undefined;
  const asFired = toMatchSubject(original);
  let asRewritten = asFired;
  const warnings: HandlerWarning[] = [];
  const timer = new CallTimer();
  try {
    for (const registered of hooks) {
      const { hook, handler } = registered;
      if (!isSelected(registered, asFired, asRewritten)) continue;
      if (handler === undefined) {
        if (hook.config.onError === 'block') addWarning({ hook_id: hook.id, ...noHandler(hook.id) });
        continue;
      }
      if (hook.config.async_execution) {
        void runDetached({ ...registered, handler }, event, detached, warn);
        continue;
      }
      const given = event;
      const call = (context: HandlerContext) => callHandler(handler, given, context);
      // Awaited only if it is a promise: a promise for each step would double the cost of the handlers.
      const calling = signal?.aborted ? cancelled : callWithDeadline(call, hook.config.timeout_ms, signal, timer);
      const running = afterFirstCall(calling instanceof Promise ? await calling : calling, registered, call, signal);
      const end = running instanceof Promise ? await running : running;
      if (end.kind !== 'answered' || end.warnings.length > 0) for (const warning of toWarnings(hook.id, end, false)) addWarning(warning);
      if (end.kind !== 'answered') {
        const cause = end.kind === 'failed' ? end : notAnswered(hook.id);
        if (end.kind === 'cancelled') addWarning({ hook_id: hook.id, ...cause });
        if (hook.config.onError === 'block') return { action: 'Block', reason: deniesForFailure(hook.id, cause.message), warnings };
        continue;
      }
      const { answer } = end;
      if (answer.kind === 'block') return { action: 'Block', reason: answer.reason, warnings };
      if (answer.kind === 'retry') return { action: 'Retry', retry_delay_ms: answer.delayMs, warnings };
      if (answer.kind === 'skip') break;
      if (answer.modified !== undefined) {
        ({ event, modified } = applyModified(event, modified, answer.modified));
        asRewritten = toMatchSubject(event);
      }
    }
  } finally {
    timer.end();
  }
  return modified === undefined ? { action: 'Continue', warnings } : { action: 'Continue', modified, warnings };

  function addWarning(warning: HandlerWarning): void {
    warnings.push(warning);
    warn(warning);
  }
}

const cancelled: CallEnd = Object.freeze({ kind: 'cancelled' });

function notAnswered(hookId: string): HookWarning {
  return { code: 'cancelled', message: `The event was cancelled before "${hookId}" answered.` };
}

function noHandler(hookId: string): HookWarning {
  const message = `No handler is registered for "${hookId}", whose onError is "block": it guards nothing. Call register_handler("${hookId}", …).`;
  return { code: 'no-handler', message };
}

/** The same text as the outcome of such a failure in an agent (`failedClosed`). */
function deniesForFailure(hookId: string, cause: string): string {
  return `Hook "${hookId}" denies because it could not do its work (onError: block). ${cause}`;
}

function isSelected({ matcher }: RegisteredHook, asFired: MatchSubject, asRewritten: MatchSubject): boolean {
  return matcher.mismatch(asFired) === undefined || (asFired !== asRewritten && matcher.mismatch(asRewritten) === undefined);
}

/** An event that cannot be copied here cannot be copied for a handler either, and the call fails there. */
function copySafely(event: UntypedHookEvent): UntypedHookEvent {
  try {
    return copyPlain(event);
  } catch {
    return event;
  }
}

/** The event as the next handler sees it (decision 36), and everything that was rewritten so far: arguments are replaced, other fields add up. */
interface Rewritten {
  readonly event: UntypedHookEvent;
  readonly modified: Readonly<Record<string, unknown>>;
}

function applyModified(
  event: UntypedHookEvent,
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
