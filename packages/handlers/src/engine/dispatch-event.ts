import type { HookWarning } from '@tenterhook/protocol';
import { callHandler } from '../calling/call-handler.js';
import { CallTimer } from '../calling/call-timer.js';
import { type CallEnd, callWithDeadline } from '../calling/call-with-deadline.js';
import { copyPlain } from '../calling/copy-plain.js';
import type { DetachedCalls } from '../calling/detached-calls.js';
import type { HandlerContext } from '../calling/handler.js';
import { afterFirstCall } from '../calling/run-attempts.js';
import { runDetached } from '../calling/run-detached.js';
import { warningsOf } from '../calling/warnings-of.js';
import type { UntypedHookEvent } from '../definition/hook-event.js';
import { applyModified } from '../dispatch/apply-modified.js';
import type { HookResult } from '../dispatch/hook-result.js';
import type { HandlerWarning, Warn } from '../handler-warning.js';
import { type MatchSubject, subjectOf } from '../matching/subject-of.js';
import type { RegisteredHook } from '../registered-hook.js';

/** What an engine has for its events. */
export interface DispatchContext {
  readonly signal: AbortSignal | undefined;
  readonly warn: Warn;
  readonly detached: DetachedCalls;
}

/**
 * One event through the handlers of its type, one after another (seed 002 "Execution Flow"): the same rules as in the plan of an agent's event,
 * for hosts that have no agent loop here. `hooks` are fixed when the event begins; path and command patterns are asked at each hook's turn, on
 * the original and on the current arguments, and a match on either runs it (design §6). Never rejects.
 */
export async function dispatchEvent(
  fired: UntypedHookEvent,
  hooks: readonly RegisteredHook[],
  { signal, warn, detached }: DispatchContext,
): Promise<HookResult> {
  // Whoever fired it may go on changing it while the first handler is waited for, and the guard behind that one must see what was fired.
  const original = hooks.length > 1 ? copySafely(fired) : fired;
  let event = original;
  let modified: Readonly<Record<string, unknown>> | undefined;
  const asFired = subjectOf(original);
  let asRewritten = asFired;
  const warnings: HandlerWarning[] = [];
  const timer = new CallTimer();
  try {
    for (const registered of hooks) {
      const { hook, handler } = registered;
      if (!isSelected(registered, asFired, asRewritten)) continue;
      if (handler === undefined) {
        if (hook.config.onError === 'block') tell({ hook_id: hook.id, ...noHandler(hook.id) });
        continue;
      }
      if (hook.config.async_execution) {
        void runDetached({ ...registered, handler }, event, detached, warn);
        continue;
      }
      const given = event;
      const call = (context: HandlerContext) => callHandler(handler, given, context);
      // Awaited only where there is something to wait for: a promise for each step would be as much again as the handlers.
      const calling = signal?.aborted ? cancelled : callWithDeadline(call, hook.config.timeout_ms, signal, timer);
      const running = afterFirstCall(calling instanceof Promise ? await calling : calling, registered, call, signal);
      const end = running instanceof Promise ? await running : running;
      if (end.kind !== 'answered' || end.warnings.length > 0) for (const warning of warningsOf(hook.id, end, false)) tell(warning);
      if (end.kind !== 'answered') {
        const cause = end.kind === 'failed' ? end : notAnswered(hook.id);
        if (end.kind === 'cancelled') tell({ hook_id: hook.id, ...cause });
        if (hook.config.onError === 'block') return { action: 'Block', reason: deniesForFailure(hook.id, cause.message), warnings };
        continue;
      }
      const { answer } = end;
      if (answer.kind === 'block') return { action: 'Block', reason: answer.reason, warnings };
      if (answer.kind === 'retry') return { action: 'Retry', retry_delay_ms: answer.delayMs, warnings };
      if (answer.kind === 'skip') break;
      if (answer.modified !== undefined) {
        ({ event, modified } = applyModified(event, modified, answer.modified));
        asRewritten = subjectOf(event);
      }
    }
  } finally {
    timer.end();
  }
  return modified === undefined ? { action: 'Continue', warnings } : { action: 'Continue', modified, warnings };

  function tell(warning: HandlerWarning): void {
    warnings.push(warning);
    warn(warning);
  }
}

const cancelled: CallEnd = Object.freeze({ kind: 'cancelled' });

function notAnswered(hookId: string): HookWarning {
  return { code: 'cancelled', message: `The event was cancelled before "${hookId}" had answered.` };
}

function noHandler(hookId: string): HookWarning {
  const message = `No handler is registered for "${hookId}", whose onError is "block": it guards nothing. Call register_handler("${hookId}", …).`;
  return { code: 'no-handler', message };
}

/** The outcome of such a failure in an agent says the same (`failedClosed`). */
function deniesForFailure(hookId: string, cause: string): string {
  return `Hook "${hookId}" denies because it could not do its work (onError: block). ${cause}`;
}

function isSelected({ matcher }: RegisteredHook, asFired: MatchSubject, asRewritten: MatchSubject): boolean {
  return matcher.mismatch(asFired) === undefined || (asFired !== asRewritten && matcher.mismatch(asRewritten) === undefined);
}

/** What cannot be copied now cannot be copied for a handler either, and is a failed call there. */
function copySafely(event: UntypedHookEvent): UntypedHookEvent {
  try {
    return copyPlain(event);
  } catch {
    return event;
  }
}
