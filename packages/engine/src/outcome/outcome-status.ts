import type { HookOutcome } from '@tenterhook/protocol';

/** Whether what the hook said counts. */
export function isObeyed({ status }: HookOutcome): boolean {
  return status === 'succeeded' || status === 'blocked';
}

/** Whether the hook could not do its work, and what stands in `errors`; a hook that was skipped only where that denies (`failedClosed`). */
export function hasFailed({ status, failedClosed }: HookOutcome): boolean {
  return status === 'failed' || status === 'timed-out' || status === 'cancelled' || failedClosed === true;
}

/** Whether the hook had a turn at all. */
export function hasRun({ status, warnings }: HookOutcome): boolean {
  return status !== 'skipped' && !(status === 'cancelled' && warnings[0]?.code === 'not_started');
}
