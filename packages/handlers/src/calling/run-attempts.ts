import type { HookWarning } from '@tenterhook/protocol';
import { wait } from '@tenterhook/runtime/async';
import { createLog } from '@tenterhook/runtime/log';
import { describeThrown } from '@tenterhook/runtime/text';
import type { RegisteredHook } from '../registered-hook.js';
import { AbsentError } from './absent-error.js';
import type { Answer } from './answer.js';
import { type Call, type CallEnd, callWithDeadline } from './call-with-deadline.js';
import { readAnswer } from './read-answer.js';

/** What came of a handler, its retries included. */
export type AttemptsEnd =
  | { readonly kind: 'answered'; readonly answer: Answer; readonly warnings: readonly HookWarning[] }
  /** The last call failed; `warnings` tell of those before it. */
  | {
      readonly kind: 'failed';
      readonly code: 'hook_failed' | 'timeout' | 'handler_absent';
      readonly message: string;
      readonly warnings: readonly HookWarning[];
    }
  | { readonly kind: 'cancelled'; readonly warnings: readonly HookWarning[] };

/** The most characters of a message that is not ours. */
const maxMessage = 1000;

const log = createLog('handlers');

type Attempt = AttemptsEnd | { readonly kind: 'again'; readonly delayMs: number; readonly warnings: readonly HookWarning[] };

/**
 * Calls a handler, and again while `max_retries` allows: after the delay where it asks for that (decision 38), at once where it threw, took too
 * long or answered what is no answer (decision 39). Each call has a deadline of its own.
 */
export async function runAttempts(registered: RegisteredHook, call: Call, signal: AbortSignal | undefined): Promise<AttemptsEnd> {
  return afterFirstCall(await callWithDeadline(call, registered.hook.config.timeout_ms, signal), registered, call, signal);
}

/** What comes of a handler whose first call has ended, for whoever has made that call: at once, unless it is called again. */
export function afterFirstCall(
  end: CallEnd,
  registered: RegisteredHook,
  call: Call,
  signal: AbortSignal | undefined,
): AttemptsEnd | Promise<AttemptsEnd> {
  const attempt = readEnd(end, registered, registered.hook.config.max_retries);
  return attempt.kind === 'again' ? goOn(attempt, registered, call, signal) : attempt;
}

async function goOn(first: Attempt, registered: RegisteredHook, call: Call, signal: AbortSignal | undefined): Promise<AttemptsEnd> {
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
  return { kind: 'again', delayMs: 0, warnings: [{ code, message: `${message} It is called again.` }] };
}

/** What was thrown may be anything, a proxy that throws when it is asked included. */
function isAbsent(error: unknown): error is AbsentError {
  try {
    return error instanceof AbsentError;
  } catch {
    return false;
  }
}
