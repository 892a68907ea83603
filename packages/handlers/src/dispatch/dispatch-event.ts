import type { HookWarning } from '@tenterhook/protocol';
import { callHandler } from '../calling/call-handler.js';
import { CallTimer } from '../calling/call-timer.js';
import { copyPlain } from '../calling/copy-plain.js';
import { describeThrown } from '../calling/describe-thrown.js';
import type { HookHandler } from '../calling/handler.js';
import type { AttemptsEnd } from '../calling/run-attempts.js';
import { runAttempts } from '../calling/run-attempts.js';
import type { UntypedHookEvent } from '../definition/hook-event.js';
import { type MatchSubject, subjectOf } from '../matching/match-subject.js';
import type { RegisteredHook } from '../registered-hook.js';
import { applyModified } from './apply-modified.js';
import { deniesForFailure, type HookResult } from './hook-result.js';

/** A warning with the hook it is about. */
export type Warn = (hookId: string, warning: HookWarning, late: boolean) => void;

/**
 * One event through the handlers of its type, one after another (seed 002 "Execution Flow"): the same rules as in the plan of an agent's event,
 * for hosts that have no agent loop here. `hooks` are fixed when the event begins; path and command patterns are asked at each hook's turn, on
 * the original and on the current arguments, and a match on either runs it (design §6). Never rejects.
 */
export async function dispatchEvent(
  original: UntypedHookEvent,
  hooks: readonly RegisteredHook[],
  signal: AbortSignal | undefined,
  warn: Warn,
): Promise<HookResult> {
  let event = original;
  let modified: Readonly<Record<string, unknown>> | undefined;
  const asFired = subjectOf(original);
  let asRewritten = asFired;
  const warnings: HookWarning[] = [];
  const timer = new CallTimer();
  try {
    for (const registered of hooks) {
      const { hook, handler } = registered;
      if (handler === undefined || !isSelected(registered, asFired, asRewritten)) continue;
      if (hook.config.async_execution) {
        void runDetached(registered, handler, event, signal, warn);
        continue;
      }
      const given = event;
      const running = signal?.aborted
        ? cancelled
        : runAttempts(registered, (context) => callHandler(handler, given, context), signal, timer);
      const end = running instanceof Promise ? await running : running;
      for (const warning of end.warnings) tell(hook.id, warning);
      if (end.kind !== 'answered') {
        const { code, message } = end.kind === 'failed' ? end : notAnswered(hook.id);
        tell(hook.id, { code, message });
        if (hook.config.onError === 'block') return { action: 'Block', reason: deniesForFailure(hook.id, message), warnings };
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

  function tell(hookId: string, warning: HookWarning): void {
    warnings.push(warning);
    warn(hookId, warning, false);
  }
}

const cancelled: AttemptsEnd = Object.freeze({ kind: 'cancelled', warnings: [] });

function notAnswered(hookId: string): HookWarning {
  return { code: 'cancelled', message: `The event was cancelled before "${hookId}" had answered.` };
}

function isSelected({ matcher }: RegisteredHook, asFired: MatchSubject, asRewritten: MatchSubject): boolean {
  return matcher.mismatch(asFired) === undefined || (asFired !== asRewritten && matcher.mismatch(asRewritten) === undefined);
}

/** Begun after the event has gone on, so that not even what it does at once holds the event up; it cannot decide any more (decision 41). */
async function runDetached(
  registered: RegisteredHook,
  handler: HookHandler,
  event: UntypedHookEvent,
  signal: AbortSignal | undefined,
  warn: Warn,
): Promise<void> {
  const { id } = registered.hook;
  let given: UntypedHookEvent;
  try {
    given = copyPlain(event);
  } catch (error) {
    // Nobody waits here who could be told that a getter of the event threw.
    warn(id, { code: 'hook_failed', message: `The event for "${id}" could not be copied: ${describeThrown(error)}` }, true);
    return;
  }
  await undefined;
  const end = await runAttempts(registered, (context) => callHandler(handler, given, context), signal);
  for (const warning of end.warnings) warn(id, warning, true);
  if (end.kind === 'failed') warn(id, { code: end.code, message: end.message }, true);
  if (end.kind === 'answered') {
    const late = lateWords(end.answer);
    if (late !== undefined) warn(id, { code: 'late_answer', message: `The handler of "${id}" ${late}` }, true);
  }
}

function lateWords(answer: { readonly kind: string; readonly modified?: unknown }): string | undefined {
  if (answer.kind === 'block') return 'blocked after its event had gone on: a hook with async_execution cannot decide.';
  if (answer.kind === 'continue' && answer.modified !== undefined) {
    return 'modified an event that had gone on: a hook with async_execution changes nothing.';
  }
  return answer.kind === 'continue' ? undefined : `answered ${answer.kind} after its event had gone on; it has no effect.`;
}
