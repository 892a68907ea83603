import type { HookEvent, Selection } from '@tenterhook/protocol';
import { hasFailed } from '@tenterhook/protocol/internal';

/**
 * Skips a hook of a successful tool if the tool failed, and a hook of a failed tool if it succeeded. An earlier hook may have replaced the
 * result by a failure, so the hook is asked about again. `isFailure` tests a result. @default a result with an error is a failure
 */
export function findOtherResult(
  wanted: 'success' | 'failure' | undefined,
  { input }: HookEvent,
  isFailure: (response: unknown) => boolean = hasFailed,
): Selection | undefined {
  if (wanted === undefined) return undefined;
  const response = input['tool_response'];
  if (response !== undefined && isFailure(response) === (wanted === 'failure')) return undefined;
  const what = wanted === 'failure' ? 'failed' : 'did not fail';
  // Only `explain` passes an event without a result.
  const reason =
    response === undefined ? `it runs if the tool ${what}, which depends on tool_response` : `it runs only if the tool ${what}`;
  return { run: false, skipReason: 'condition', reason, reconsider: true };
}
