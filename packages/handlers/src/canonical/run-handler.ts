import type { Exit, HookDefinition, Invocation } from '@tenterhook/protocol';
import { wait } from '@tenterhook/runtime/async';
import { callHandler } from '../calling/call-handler.js';
import { tooManyDetached } from '../calling/detached-calls.js';
import { runAttempts } from '../calling/run-attempts.js';
import { warningsOf } from '../calling/warnings-of.js';
import type { UntypedHookEvent } from '../definition/hook-event.js';
import { dataOf } from './handlers-dialect.js';

interface RunOptions {
  readonly signal: AbortSignal;
  readonly onStart: () => void;
}

/** Runs the handler that the definition carries, and not one that is looked up: an event in flight keeps what it began with. */
export async function runHandler(invocation: Invocation, hook: HookDefinition, options: RunOptions): Promise<Exit> {
  if (hook.async !== true) return run(invocation, hook, options);
  const { detached, registered } = dataOf(hook);
  if (!detached.begin()) return { kind: 'not-started', message: tooManyDetached(registered.hook.id), durationMs: 0 };
  try {
    // In a later turn of the loop, so that not even what it does at once holds up an event that does not wait for it.
    await wait(0, options.signal);
    return await run(invocation, hook, options);
  } finally {
    detached.end();
  }
}

async function run(invocation: Invocation, hook: HookDefinition, { signal, onStart }: RunOptions): Promise<Exit> {
  const { registered, warn } = dataOf(hook);
  const { handler } = registered;
  if (invocation.kind !== 'call' || handler === undefined) throw new TypeError(`a handler was asked to run "${invocation.kind}"`);
  const event = invocation.argument as UntypedHookEvent;
  const began = performance.now();
  onStart();
  const end = await runAttempts(registered, (context) => callHandler(handler, event, context), signal);
  const durationMs = performance.now() - began;
  for (const warning of warningsOf(registered.hook.id, end, hook.async === true)) warn(warning);
  return end.kind === 'cancelled' ? { kind: 'cancelled', durationMs } : { kind: 'answered', answer: end, durationMs };
}
