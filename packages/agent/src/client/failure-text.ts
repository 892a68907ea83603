import type { AggregatedHookResult } from '@tenterhook/protocol';

/** Why the event was not carried out, for people; undefined when it was carried out. */
export function formatFailure(result: AggregatedHookResult): string | undefined {
  const failure = findRequestFailure(result);
  if (failure === undefined) return undefined;
  const what = result.outcomes.length === 0 ? 'The hooks did not answer' : 'Hooks did not finish';
  return `${what} (${failure.code}): ${failure.message}`;
}

/** A failure inside a hook carries the hook's id; it does not mean that the request failed. */
export function findRequestFailure({ success, errors }: AggregatedHookResult): { code: string; message: string } | undefined {
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
