import type { AggregatedHookResult } from '@tenterhook/protocol';
import type { HookClient } from './hook-client.js';

/** The sender's own faults. Everything else that keeps hooks from being asked is a matter of `onUnavailable`. */
const faultsOfTheInput = ['invalid_request', 'validation_failed'];

/** Why the event was not carried out; undefined when it was. What failed inside a hook carries the hook's id and is no such reason. */
function requestFailure({ success, errors }: AggregatedHookResult): { code: string; message: string } | undefined {
  return success ? undefined : errors.find((error) => error.hookId === undefined);
}

/** The same for people; undefined when the event was carried out. */
export function failureText(result: AggregatedHookResult): string | undefined {
  const failure = requestFailure(result);
  if (failure === undefined) return undefined;
  const what = result.outcomes.length === 0 ? 'Hooks could not be asked' : 'Hooks did not finish';
  return `${what} (${failure.code}): ${failure.message}`;
}

/**
 * Why an operation that no hook has decided on may not go on; undefined when it may. An input that cannot be shown to hooks is refused
 * whatever `onUnavailable` says: it comes from the model, which could else switch a guard off by calling a tool with a list.
 */
export function refusalByFailure(result: AggregatedHookResult, { onUnavailable }: HookClient): string | undefined {
  const failure = requestFailure(result);
  if (failure === undefined || result.verdict.kind !== 'none') return undefined;
  return onUnavailable === 'deny' || faultsOfTheInput.includes(failure.code) ? failureText(result) : undefined;
}
