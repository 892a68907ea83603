import type { ErrorCode, HookExecutionResponse, ResponseError } from '@tenterhook/protocol';

/** Exit statuses of the command line. */
export const ExitStatus = {
  ok: 0,
  expectedFailure: 1,
  denied: 2,
  ask: 3,
  usage: 64,
  bug: 70,
} as const;

/** A usage error of the command line; the message says what to type instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Thrown if a command fails for a reason outside of the command line. The message says what to do. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  /** The error for a caller that passed --json. */
  readonly error: ResponseError;

  constructor(error: ResponseError) {
    super(error.message);
    this.error = error;
  }
}

/** Returns the exit status for a response. With `byVerdict` it also depends on the verdict. */
export function statusOf(response: HookExecutionResponse, byVerdict: boolean): number {
  if (!response.success) return failureStatus(response.error?.code ?? 'internal_error');
  const verdict = response.output?.verdict;
  if (!byVerdict || verdict === undefined) return ExitStatus.ok;
  if (verdict.kind === 'deny' || verdict.stop) return ExitStatus.denied;
  return verdict.kind === 'ask' ? ExitStatus.ask : ExitStatus.ok;
}

function failureStatus(code: ErrorCode): number {
  return code === 'internal_error' ? ExitStatus.bug : ExitStatus.expectedFailure;
}
