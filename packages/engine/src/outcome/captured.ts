import type { Captured, Exit, HookOutcome, HookWarning, ReadableExit } from '@tenterhook/protocol';

/** What a run has left, as fields of its outcome. */
export function capturedFields(exit: Exit): Partial<HookOutcome> {
  if (exit.kind === 'response') return exit.truncated ? { truncated: true } : {};
  if (!('stdout' in exit) || exit.stdout === undefined) return {};
  return {
    stdout: exit.stdout,
    stderr: exit.stderr ?? '',
    stdoutBytes: exit.stdoutBytes ?? 0,
    stderrBytes: exit.stderrBytes ?? 0,
    ...(exit.stdoutTruncated || exit.stderrTruncated ? { truncated: true } : {}),
  };
}

/** What its author should know about what was kept of a readable end, whatever the dialect makes of it. */
export function endWarnings(exit: ReadableExit, what: string): HookWarning[] {
  if (exit.kind === 'exited') return captureWarnings(exit, what);
  if (exit.kind === 'answered' || !exit.truncated) return [];
  return [{ code: 'output_truncated', message: `${what} was answered with more than is kept; not all of it was read.` }];
}

export function captureWarnings(exit: Captured & { leftProcesses?: number }, what: string): HookWarning[] {
  const warnings: HookWarning[] = [];
  if (exit.stdoutTruncated || exit.stderrTruncated) {
    warnings.push({
      code: 'output_truncated',
      message: `${what} wrote ${exit.stdoutBytes} bytes to stdout and ${exit.stderrBytes} to stderr; not all of it was kept.`,
    });
  }
  if (exit.invalidUtf8)
    warnings.push({ code: 'invalid_utf8', message: `${what} printed bytes that are not UTF-8; they were replaced by U+FFFD.` });
  if (exit.leftProcesses) {
    warnings.push({
      code: 'left_processes',
      message: `${what} ended and left ${exit.leftProcesses} of its processes running; they were left alone.`,
    });
  }
  return warnings;
}
