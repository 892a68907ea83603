import type { ReadableExit } from '@tenterhook/protocol';

/** The exit code and the output of a command, in the short form that tests use. */
export interface Printed {
  readonly exitCode?: number;
  readonly stdout?: string;
  readonly stderr?: string;
  readonly stdoutTruncated?: boolean;
  readonly stderrTruncated?: boolean;
}

export function exitOf({
  exitCode = 0,
  stdout = '',
  stderr = '',
  stdoutTruncated = false,
  stderrTruncated = false,
}: Printed): ReadableExit {
  const sizes = {
    stdoutBytes: stdout.length,
    stderrBytes: stderr.length,
    stdoutTruncated,
    stderrTruncated,
    invalidUtf8: false,
  };
  return { kind: 'exited', exitCode, durationMs: 1, leftProcesses: 0, stdout, stderr, ...sizes };
}

export function codesOf(entries: readonly { readonly code: string }[]): string[] {
  return entries.map((entry) => entry.code);
}
