import type { HookExecutor, Invocation } from '@tenterhook/protocol';

/**
 * Answers at once in the place of processes, for tests of what happens before a process would start. Asks whether the hook may start, as the
 * executor of commands does, and calls `onStart` with what would be started.
 */
export function atOnce(onStart: (invocation: Invocation, dialect: string) => void = () => {}): HookExecutor {
  return {
    kind: 'command',
    queues: true,
    run: async (invocation, hook, _event, options) => {
      if (options.mayStart?.() === false) return { kind: 'not-started', message: 'refused', durationMs: 0 };
      options.onStart();
      onStart(invocation, hook.dialect);
      const bytes = { stdoutBytes: 0, stderrBytes: 0, stdoutTruncated: false, stderrTruncated: false, invalidUtf8: false };
      return { kind: 'exited', exitCode: 0, durationMs: 0, leftProcesses: 0, stdout: '', stderr: '', ...bytes };
    },
  };
}
