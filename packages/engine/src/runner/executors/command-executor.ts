import type { Detachment, Exit, HookExecutor } from '@tenterhook/protocol';
import { createSpawner, type FirstLine, type ProcessExit, type SpawnerLimits } from '@tenterhook/spawner';
import { readAsyncLine } from './async-line.js';
import { notStarted } from './not-started.js';

/** Runs command hooks through the spawner: the only way from the engine to a process. */
export function createCommandExecutor(limits: Partial<SpawnerLimits> = {}): HookExecutor {
  const spawner = createSpawner(limits);
  return {
    kind: 'command',
    queues: true,
    async run(invocation, hook, _event, { signal, onStart, onDetach }) {
      if (invocation.kind !== 'command') throw new TypeError(`a command executor was given "${invocation.kind}"`);
      const { command, cwd, env, stdin } = invocation;
      const job = { command, cwd, env, stdin, timeoutMs: hook.timeoutMs, signal, onStart };
      if (onDetach === undefined || invocation.detachesOnAsyncLine !== true) return toExit(await spawner.run(job));
      let detachment: Detachment | undefined;
      const onFirstLine = ({ text, replaceTimeout }: FirstLine) => {
        if (detachment !== undefined) return;
        detachment = readAsyncLine(text);
        if (detachment === undefined) return;
        if (detachment.timeoutMs !== undefined) replaceTimeout(detachment.timeoutMs);
        onDetach(detachment);
      };
      const exit = toExit(await spawner.run({ ...job, onFirstLine }));
      const { timeoutMs } = (detachment as Detachment | undefined) ?? {};
      return exit.kind === 'timed-out' && timeoutMs !== undefined ? { ...exit, timeoutMs } : exit;
    },
    dispose: () => spawner.dispose(),
  };
}

/** The spawner ends in the shapes of the protocol. Only why a job had no turn is put in the words of an event here. */
function toExit(exit: ProcessExit): Exit {
  return exit.kind === 'not-started' ? notStarted(exit.reason) : exit;
}
