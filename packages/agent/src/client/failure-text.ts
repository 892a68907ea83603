import type { AggregatedHookResult, ResultError } from '@tenterhook/protocol';

/** Returns a sentence with the reason why the event was not carried out, or undefined if it was carried out. */
export function formatFailure(result: AggregatedHookResult): string | undefined {
  const failure = findRequestFailure(result);
  if (failure === undefined) return undefined;
  const what = result.outcomes.length === 0 ? 'The hooks did not answer' : 'Hooks did not finish';
  return `${what} (${failure.code}): ${failure.message}`;
}

/** Returns a sentence if only the hooks of this machine ran. */
export function formatLocalOnly({ localOnly }: AggregatedHookResult): string | undefined {
  if (localOnly === undefined) return undefined;
  return `No hook service accepted the event (${localOnly.code}), so only the hooks of this machine ran: ${localOnly.message}`;
}

/** Returns the error of a failed request. Errors with a `hookId` are skipped, because they report that a hook failed, not the request. */
export function findRequestFailure({ success, errors }: AggregatedHookResult): ResultError | undefined {
  return success ? undefined : errors.find((error) => error.hookId === undefined);
}

/**
 * Returns the text of what a function of the host threw. Never throws, even if the value has no text. `describeThrown` of the runtime was
 * rejected, because it omits the text of objects and the name of an error without a message.
 */
export function formatThrown(error: unknown): string {
  try {
    return (error instanceof Error && error.message) || String(error);
  } catch {
    return 'a thrown value without text';
  }
}
