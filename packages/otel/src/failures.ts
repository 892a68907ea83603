import type { HookOutcome, WarningCode } from '@tenterhook/protocol';

/** Codes of warnings that are not the cause of a failure. They may come before the cause. */
const remarks: ReadonlySet<WarningCode> = new Set<WarningCode>([
  'output_truncated',
  'invalid_utf8',
  'mixed_output',
  'left_processes',
  'asked_again',
  'failed_closed',
  'async_ignored',
  'other_spelling',
  'decision_ignored',
  'rewrite_ignored',
  'no_effect',
  'resident_output',
  'resident_restarted',
]);

/** Returns whether the outcome is a failure: then its span has the status ERROR. A deny and a cancel are none. */
export function isFailure({ status, failedClosed }: HookOutcome): boolean {
  return status === 'failed' || status === 'timed-out' || failedClosed === true;
}

/** Returns the code of the failure, or undefined if there is none. The codes are those of docs/errors.md, so their number is limited. */
export function errorTypeOf(outcome: HookOutcome): string | undefined {
  if (!isFailure(outcome)) return undefined;
  if (outcome.status === 'timed-out') return 'timeout';
  const codes = outcome.warnings.map(({ code }) => code);
  return codes.find((code) => !remarks.has(code)) ?? codes[0] ?? '_OTHER';
}
