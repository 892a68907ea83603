import { wait } from '@tenterhook/runtime/async';
import { describeThrown } from '@tenterhook/runtime/text';
import type { UntypedHookEvent } from '../definition/hook-event.js';
import type { Warn } from '../handler-warning.js';
import type { RegisteredHook } from '../registered-hook.js';
import type { Answer } from './answer.js';
import { callHandler } from './call-handler.js';
import { copyPlain } from './copy-plain.js';
import { type DetachedCalls, tooManyDetached } from './detached-calls.js';
import type { HookHandler } from './handler.js';
import { runAttempts } from './run-attempts.js';
import { warningsOf } from './warnings-of.js';

/**
 * A handler that nobody waits for. It begins in a later turn of the loop, so that not even what it does at once holds the event up; it cannot
 * decide any more (decision 41). The signal of the event is not its: it may abort long after, and would take an audit line with it.
 */
export async function runDetached(
  registered: RegisteredHook & { readonly handler: HookHandler },
  event: UntypedHookEvent,
  running: DetachedCalls,
  warn: Warn,
): Promise<void> {
  const { hook } = registered;
  const say = (code: string, message: string) => warn({ hook_id: hook.id, code, message, late: true });
  if (!running.begin()) return say('not_started', tooManyDetached(hook.id));
  try {
    const given = copyPlain(event);
    await wait(0, undefined);
    const end = await runAttempts(registered, (context) => callHandler(registered.handler, given, context), undefined);
    for (const warning of warningsOf(hook.id, end, true)) warn(warning);
    const late = end.kind === 'answered' ? lateWords(end.answer) : undefined;
    if (late !== undefined) say('late_answer', `The handler of "${hook.id}" ${late}`);
  } catch (error) {
    // Such as a getter of the event that throws: nobody waits here who could be told.
    say('hook_failed', `The handler of "${hook.id}" could not be called: ${describeThrown(error)}`);
  } finally {
    running.end();
  }
}

function lateWords(answer: Answer): string | undefined {
  if (answer.kind === 'block') return 'blocked after its event had gone on: a hook with async_execution cannot decide.';
  if (answer.kind !== 'continue') return `answered ${answer.kind} after its event had gone on; it has no effect.`;
  return answer.modified === undefined ? undefined : 'modified an event that had gone on: a hook with async_execution changes nothing.';
}
