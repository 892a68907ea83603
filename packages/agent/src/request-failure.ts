import type { AggregatedHookResult } from '@tenterhook/protocol';

/** Why the event was not carried out; undefined when it was. What failed inside a hook carries the hook's id and is no such reason. */
export function requestFailure({ success, errors }: AggregatedHookResult): { code: string; message: string } | undefined {
  return success ? undefined : errors.find((error) => error.hookId === undefined);
}
