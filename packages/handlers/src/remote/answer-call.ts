import type { Answer as BusAnswer } from '@tenterhook/bus';
import type { PayloadOf, WarningCode } from '@tenterhook/protocol';
import { longestTimerMs } from '@tenterhook/runtime/async';
import { isPlainObject } from '@tenterhook/runtime/json';
import { createLog } from '@tenterhook/runtime/log';
import { describeThrown } from '@tenterhook/runtime/text';
import { callWithDeadline, isDeadline } from '../calling/call-with-deadline.js';
import { callHandler, type RegisteredHook, type Warn } from '../calling/handler.js';
import { readAnswer } from '../calling/read-answer.js';
import type { UntypedHandlerEvent } from '../definition/hook-event.js';
import type { HookEventType } from '../definition/hook-event-type.js';

/** Milliseconds in addition to the caller's deadline. */
const graceMs = 1000;

const log = createLog('handlers');

type CallAnswer = BusAnswer<'HOOK_HANDLER_CALL'>;

/** Answers one call from another process. The answer only has to be JSON, because the caller validates it. */
export async function answerCall(
  payload: PayloadOf<'HOOK_HANDLER_CALL'>,
  registered: RegisteredHook | undefined,
  { signal, warn }: { readonly signal: AbortSignal; readonly warn: Warn },
): Promise<CallAnswer> {
  // The payload comes from another process, so its fields may have any type.
  const { hookId, event, timeoutMs } = payload as Partial<Record<keyof typeof payload, unknown>>;
  const handler = registered?.handler;
  if (registered === undefined || handler === undefined)
    return failed('validation_failed', `there is no longer a handler for ${JSON.stringify(hookId)}`);
  if (!isPlainObject(event) || event['event_type'] !== registered.hook.event_type || !isPlainObject(event['payload'])) {
    return failed('validation_failed', `the event for "${registered.hook.id}" is not ${registered.hook.event_type}`);
  }
  const { timeout_ms } = registered.hook.config;
  // Usually the caller cancels this call at its own deadline. This later deadline is for callers that no longer exist.
  const callMs = typeof timeoutMs === 'number' && timeoutMs >= 1 ? Math.min(timeoutMs, timeout_ms) : timeout_ms;
  const deadlineMs = Math.min(callMs + graceMs, longestTimerMs);
  const end = await callWithDeadline(
    (context) => callHandler(handler, event as unknown as UntypedHandlerEvent, context),
    deadlineMs,
    signal,
  );
  const say = (code: WarningCode, message: string) => warn({ hook_id: registered.hook.id, code, message });
  const tooSlow = (ms: number) => say('timeout', `The handler of "${registered.hook.id}" did not answer within ${ms} ms.`);
  switch (end.kind) {
    case 'answered':
      return answered(end.answer, registered.hook.event_type, say);
    case 'threw': {
      const message = describeThrown(end.error);
      log('the handler of %s threw: %O', registered.hook.id, end.error);
      say('hook_failed', `The handler of "${registered.hook.id}" threw: ${message}.`);
      return failed('internal_error', message);
    }
    case 'timed-out':
      tooSlow(deadlineMs);
      return failed('timeout', `no answer within ${deadlineMs} ms`);
    case 'cancelled':
      if (isDeadline(signal)) tooSlow(callMs);
      return failed('cancelled', 'the call was cancelled');
  }
}

/** Returns the result for an answer. A missing answer means Continue, and is sent as null. */
function answered(answer: unknown, eventType: HookEventType, say: (code: WarningCode, message: string) => void): CallAnswer {
  try {
    // The caller validates the answer too. It is read here for its warnings, because the author of the handler sees the log of this
    // process.
    const read = readAnswer(answer, eventType);
    if ('failure' in read) say('hook_failed', `A handler failed: ${read.failure}.`);
    else for (const { code, message } of read.warnings) say(code, message);
    if (answer === undefined || answer === null) return { success: true, output: null };
    const text = JSON.stringify(answer);
    // JSON omits a function and writes NaN as null, and the caller would read both as Continue.
    if (text === undefined || text === 'null') return failed('internal_error', `its answer must be an object, and is a ${typeof answer}`);
    return { success: true, output: JSON.parse(text) as unknown };
  } catch (error) {
    return failed('internal_error', `its answer cannot be written as JSON: ${describeThrown(error)}`);
  }
}

function failed(code: 'validation_failed' | 'internal_error' | 'timeout' | 'cancelled', message: string): CallAnswer {
  return { success: false, error: { code, message } };
}
