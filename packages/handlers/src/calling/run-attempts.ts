import type { HookWarning } from '@tenterhook/protocol';
import { type Abortable, wait } from '@tenterhook/runtime/async';
import { createLog } from '@tenterhook/runtime/log';
import { describeThrown } from '@tenterhook/runtime/text';
import { type Call, type CallEnd, callWithDeadline } from './call-with-deadline.js';
import type { HandlerWarning, RegisteredHook } from './handler.js';
import { type Answer, readAnswer } from './read-answer.js';

/** How a handler ended after all of its calls, including retries. */
export type AttemptsEnd =
  | { readonly kind: 'answered'; readonly answer: Answer; readonly warnings: readonly HookWarning[] }
  /** The last call failed. `warnings` are about the calls before the last one. */
  | {
      readonly kind: 'failed';
      readonly code: 'hook_failed' | 'timeout' | 'handler_absent';
      readonly message: string;
      readonly warnings: readonly HookWarning[];
    }
  | { readonly kind: 'cancelled'; readonly warnings: readonly HookWarning[] };

/** Thrown by a call if no process answers it. The call is not retried, because that would not help. */
export class AbsentError extends Error {
  static {
    AbsentError.prototype.name = 'AbsentError';
  }
}

/** In characters, for a message that a handler wrote. */
const maxMessage = 1000;

const log = createLog('handlers');

type Attempt = AttemptsEnd | { readonly kind: 'again'; readonly delayMs: number; readonly warnings: readonly HookWarning[] };

/**
 * Calls a handler, and repeats the call at most `max_retries` times. After the answer Retry, the call is repeated after the delay
 * in the answer (decision 38). After a throw, a timeout or an invalid answer, it is repeated at once (decision 39). Each call has
 * its own deadline.
 */
export async function runAttempts(registered: RegisteredHook, call: Call, signal: Abortable | undefined): Promise<AttemptsEnd> {
  return afterFirstCall(await callWithDeadline(call, registered.hook.config.timeout_ms, signal), registered, call, signal);
}

/** Continues after the first call, which the caller made. The result is a promise only if the handler is called again. */
export function afterFirstCall(
  end: CallEnd,
  registered: RegisteredHook,
  call: Call,
  signal: Abortable | undefined,
): AttemptsEnd | Promise<AttemptsEnd> {
  const attempt = readEnd(end, registered, registered.hook.config.max_retries);
  return attempt.kind === 'again' ? retry(attempt, registered, call, signal) : attempt;
}

async function retry(first: Attempt, registered: RegisteredHook, call: Call, signal: Abortable | undefined): Promise<AttemptsEnd> {
  const { max_retries, timeout_ms } = registered.hook.config;
  const warnings: HookWarning[] = [];
  let attempt = first;
  for (let left = max_retries - 1; attempt.kind === 'again'; left -= 1) {
    warnings.push(...attempt.warnings);
    await wait(attempt.delayMs, signal);
    if (signal?.aborted) return { kind: 'cancelled', warnings };
    attempt = readEnd(await callWithDeadline(call, timeout_ms, signal), registered, left);
  }
  return { ...attempt, warnings: [...warnings, ...attempt.warnings] };
}

function readEnd(end: CallEnd, { hook }: RegisteredHook, retriesLeft: number): Attempt {
  switch (end.kind) {
    case 'cancelled':
      return { kind: 'cancelled', warnings: [] };
    case 'timed-out':
      return failed('timeout', `did not answer within ${hook.config.timeout_ms} ms`, hook.id, retriesLeft);
    case 'threw':
      log('the handler of %s threw: %O', hook.id, end.error);
      if (isAbsent(end.error)) return { kind: 'failed', code: 'handler_absent', message: end.error.message, warnings: [] };
      return failed('hook_failed', `threw: ${describeThrown(end.error).slice(0, maxMessage)}`, hook.id, retriesLeft);
    case 'answered': {
      const read = readAnswer(end.answer, hook.event_type);
      if ('failure' in read) return failed('hook_failed', `failed: ${read.failure}`, hook.id, retriesLeft);
      if (read.answer.kind === 'retry' && retriesLeft > 0) return { kind: 'again', delayMs: read.answer.delayMs, warnings: read.warnings };
      return { kind: 'answered', ...read };
    }
  }
}

function failed(code: 'hook_failed' | 'timeout', what: string, hookId: string, retriesLeft: number): Attempt {
  const message = `The handler of "${hookId}" ${what}.`;
  if (retriesLeft <= 0) return { kind: 'failed', code, message, warnings: [] };
  return { kind: 'again', delayMs: 0, warnings: [{ code, message: `${message} The handler is called again.` }] };
}

/** `instanceof` may itself throw: a handler may throw anything, even a proxy that throws when it is inspected. */
function isAbsent(error: unknown): error is AbsentError {
  try {
    return error instanceof AbsentError;
  } catch {
    return false;
  }
}

/** Returns all warnings of a run, with the warning about its failure. */
export function toWarnings(hookId: string, end: AttemptsEnd, isLate: boolean): HandlerWarning[] {
  const failure = end.kind === 'failed' ? [{ code: end.code, message: end.message }] : [];
  const late = isLate ? { late: true as const } : {};
  return [...end.warnings, ...failure].map((warning) => ({ hook_id: hookId, ...warning, ...late }));
}
