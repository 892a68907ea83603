import type { HookOutcome } from '@tenterhook/protocol';

/** Whether what the hook said counts. */
export function isObeyed({ status }: HookOutcome): boolean {
  return status === 'succeeded' || status === 'blocked';
}

/** Whether the hook could not do its work: what `onError` is about, and what stands in `errors`. */
export function hasFailed({ status }: HookOutcome): boolean {
  return status === 'failed' || status === 'timed-out' || status === 'cancelled';
}

/** Whether the hook had a turn at all. */
export function hasRun({ status, warnings }: HookOutcome): boolean {
  return status !== 'skipped' && !(status === 'cancelled' && warnings[0]?.code === 'not_started');
}
