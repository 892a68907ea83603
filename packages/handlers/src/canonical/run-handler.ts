import type { Exit, HookDefinition, Invocation } from '@tenterhook/protocol';
import { callHandler } from '../calling/call-handler.js';
import { runAttempts } from '../calling/run-attempts.js';
import type { UntypedHookEvent } from '../definition/hook-event.js';
import { dataOf } from './handlers-dialect.js';

/** Runs the handler that the definition carries, and not one that is looked up: an event in flight keeps what it began with. */
export async function runHandler(
  invocation: Invocation,
  hook: HookDefinition,
  { signal, onStart }: { readonly signal: AbortSignal; readonly onStart: () => void },
): Promise<Exit> {
  const { registered } = dataOf(hook);
  const { handler } = registered;
  if (invocation.kind !== 'call' || handler === undefined) throw new TypeError(`a handler was asked to run "${invocation.kind}"`);
  const event = invocation.argument as UntypedHookEvent;
  const began = performance.now();
  onStart();
  const end = await runAttempts(registered, (context) => callHandler(handler, event, context), signal);
  const durationMs = performance.now() - began;
  return end.kind === 'cancelled' ? { kind: 'cancelled', durationMs } : { kind: 'answered', answer: end, durationMs };
}
