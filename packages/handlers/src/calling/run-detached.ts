import type { WarningCode } from '@tenterhook/protocol';
import { wait } from '@tenterhook/runtime/async';
import { describeThrown } from '@tenterhook/runtime/text';
import type { Hook } from '../definition/hook.js';
import type { UntypedHandlerEvent } from '../definition/hook-event.js';
import { copyPlain } from './copy-plain.js';
import { callHandler, type HookHandler, type RegisteredHook, type Warn } from './handler.js';
import type { Answer } from './read-answer.js';
import { runAttempts, toWarnings } from './run-attempts.js';

/** The maximum number of detached handlers of one engine that run at the same time. Further handlers are not started. */
const maxRunning = 1024;

/** Tests whether an event does not wait for the hook. With `onError: 'block'` it waits, even with `async_execution`. */
export function isDetached({ config }: Hook): boolean {
  return config.async_execution && config.onError !== 'block';
}

export class DetachedCalls {
  #running = 0;

  /** Counts one more running handler and returns true. Returns false if too many are running. */
  begin(): boolean {
    if (this.#running >= maxRunning) return false;
    this.#running += 1;
    return true;
  }

  end(): void {
    this.#running -= 1;
  }
}

export function describeTooManyDetached(hookId: string): string {
  return `The handler of "${hookId}" was not started: ${maxRunning} handlers with async_execution are running already.`;
}

/**
 * Runs a handler for which the event does not wait, so that the handler cannot decide (decision 41). The handler starts in a later
 * turn of the event loop, because its synchronous part would delay the event. It does not receive the event's signal: the abort of
 * an event must not end a running audit, for example.
 */
export async function runDetached(
  registered: RegisteredHook & { readonly handler: HookHandler },
  event: UntypedHandlerEvent,
  running: DetachedCalls,
  warn: Warn,
): Promise<void> {
  const { hook } = registered;
  const say = (code: WarningCode, message: string) => warn({ hook_id: hook.id, code, message, late: true });
  if (!running.begin()) return say('not_started', describeTooManyDetached(hook.id));
  try {
    const given = copyPlain(event);
    await wait(0, undefined);
    const end = await runAttempts(registered, (context) => callHandler(registered.handler, given, context), undefined);
    for (const warning of toWarnings(hook.id, end, true)) warn(warning);
    const late = end.kind === 'answered' ? describeLateAnswer(end.answer) : undefined;
    if (late !== undefined) say('late_answer', `The handler of "${hook.id}" ${late}`);
  } catch (error) {
    // No caller waits for this promise. So errors, e.g. of a getter of the event, are reported here.
    say('hook_failed', `The handler of "${hook.id}" could not be called: ${describeThrown(error)}`);
  } finally {
    running.end();
  }
}

function describeLateAnswer(answer: Answer): string | undefined {
  if (answer.kind === 'block') return 'blocked after its event had ended: a hook with async_execution cannot decide.';
  if (answer.kind !== 'continue') return `answered ${answer.kind} after its event had ended. The answer has no effect.`;
  return answer.modified === undefined ? undefined : 'modified an event that had ended: a hook with async_execution changes nothing.';
}
