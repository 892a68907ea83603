import type { AggregatedHookResult } from '@tenterhook/protocol';

/** Codes of the sender's own mistakes. Everything else that keeps hooks from being asked is subject to `onUnavailable`. */
const inputFailures = ['invalid_request', 'validation_failed'];

/** Why the event was not carried out, for people; undefined when it was carried out. */
export function formatFailure(result: AggregatedHookResult): string | undefined {
  const failure = findRequestFailure(result);
  if (failure === undefined) return undefined;
  const what = result.outcomes.length === 0 ? 'The hooks did not answer' : 'Hooks did not finish';
  return `${what} (${failure.code}): ${failure.message}`;
}

/**
 * Why an operation that no hook decided on may not continue; undefined when it may. An input that cannot be shown to hooks is refused whatever
 * `onUnavailable` says: it comes from the model, which could otherwise bypass a guard by calling a tool with a list.
 */
export function refuseOnFailure(
  result: AggregatedHookResult,
  { onUnavailable }: { readonly onUnavailable: 'allow' | 'deny' },
): string | undefined {
  const failure = findRequestFailure(result);
  if (failure === undefined || result.verdict.kind !== 'none') return undefined;
  return onUnavailable === 'deny' || inputFailures.includes(failure.code) ? formatFailure(result) : undefined;
}

/** A failure inside a hook carries the hook's id; it does not mean that the request failed. */
function findRequestFailure({ success, errors }: AggregatedHookResult): { code: string; message: string } | undefined {
  return success ? undefined : errors.find((error) => error.hookId === undefined);
}

/**
 * What a function of the host threw, as text. Never throws itself: hosts and tools throw anything, including objects that have no text. Not
 * `describeThrown` of the runtime: users of this package see the text of any object and the name of an error without a message, which that
 * function leaves out.
 */
export function formatThrown(error: unknown): string {
  try {
    return (error instanceof Error && error.message) || String(error);
  } catch {
    return 'a thrown value without text';
  }
}
