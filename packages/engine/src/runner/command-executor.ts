import type { Captured, Exit, HookExecutor } from '@tenterhook/protocol';
import { createSpawner, type ProcessExit, type SpawnerLimits } from '@tenterhook/spawner';

/** Runs command hooks through the spawner: the only way from the engine to a process. */
export function createCommandExecutor(limits: Partial<SpawnerLimits> = {}): HookExecutor {
  const spawner = createSpawner(limits);
  return {
    kind: 'command',
    queues: true,
    async run(invocation, hook, _event, { signal, onStart }) {
      if (invocation.kind !== 'command') throw new TypeError(`a command executor was given "${invocation.kind}"`);
      const { command, cwd, env, stdin } = invocation;
      return exitOf(await spawner.run({ command, cwd, env, stdin, timeoutMs: hook.timeoutMs, signal, onStart }));
    },
    dispose: () => spawner.dispose(),
  };
}

const notStarted = {
  cancelled: 'the event was cancelled while it waited for its turn.',
  disposed: 'the hook system was shut down.',
  overloaded: 'more hooks are waiting than limits.queued allows. Raise it, or fire fewer events at once.',
} as const;

const spawnFailures: Readonly<Record<string, 'missing_command' | 'invalid_input'>> = {
  missing_program: 'missing_command',
  invalid_input: 'invalid_input',
};

function exitOf(exit: ProcessExit): Exit {
  const { durationMs } = exit;
  switch (exit.status) {
    case 'exited':
      return { kind: 'exited', exitCode: exit.exitCode, leftProcesses: exit.leftProcesses, durationMs, ...capturedOf(exit) };
    case 'signalled':
      return { kind: 'signalled', signal: exit.signal, durationMs, ...capturedOf(exit) };
    case 'timed-out':
      return { kind: 'timed-out', durationMs, ...capturedOf(exit) };
    case 'cancelled':
      return { kind: 'cancelled', durationMs, ...capturedOf(exit) };
    case 'not-started':
      return { kind: 'not-started', message: notStarted[exit.reason], durationMs };
    case 'spawn-failed':
      return { kind: 'unrunnable', code: spawnFailures[exit.code] ?? 'spawn_failed', message: exit.message, durationMs };
  }
}

function capturedOf({ stdout, stderr, stdoutBytes, stderrBytes, stdoutTruncated, stderrTruncated, invalidUtf8 }: Captured): Captured {
  return { stdout, stderr, stdoutBytes, stderrBytes, stdoutTruncated, stderrTruncated, invalidUtf8 };
}
