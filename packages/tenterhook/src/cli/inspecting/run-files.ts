import type { HookSystem } from '@tenterhook/engine';
import type { RunFiles } from '@tenterhook/inspector';
import type { HookEventName, HookExecutionProgress } from '@tenterhook/protocol';
import { answerQuestion } from '../../inspect/answer-question.js';
import { type CommandContext, directoryOf } from '../context.js';
import { CommandError } from '../errors/exit-status.js';
import { watchLateEnds } from '../firing/late-ends.js';
import { loadHooks } from '../hooks/load-hooks.js';

/**
 * Returns a function that runs an event as `tenterhook fire` does: in a hook system of this process, with the settings files of the project
 * as they are now, and without hooks that the user has not accepted. The service of the agent is not involved, because a run by hand must
 * not change what it counts, records or denies.
 */
export function runFiles(projectDir: () => string | undefined, context: CommandContext): RunFiles {
  return async ({ eventName, input }, signal, requireShown) => {
    const cwd = projectDir() ?? directoryOf(context);
    if (cwd === undefined) {
      const message = 'The current directory was deleted. Start tenterhook inspect in the directory of the project.';
      throw new CommandError({ code: 'invalid_request', message });
    }
    let system: HookSystem | undefined;
    const { hooks } = await loadHooks({ cwd }, context, {
      keepsInput: true,
      onSystem: (loaded) => {
        system = loaded;
      },
    });
    const progress: HookExecutionProgress[] = [];
    const unsubscribe = hooks.bus.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload }) => progress.push(payload));
    const lateEnds = watchLateEnds(hooks.bus);
    try {
      requireShown(answerQuestion(system as HookSystem, 'preview', eventName as HookEventName, input));
      const payload = { eventName: eventName as HookEventName, input };
      const response = await hooks.bus.request('HOOK_EXECUTION_REQUEST', payload, { signal });
      // Asynchronous hooks would end with the system, and a person would see only a part of their run.
      await lateEnds.wait(response.output?.outcomes ?? [], signal);
      return { request: { ...payload, correlationId: response.correlationId }, progress, response };
    } finally {
      lateEnds.forget();
      unsubscribe();
      await hooks.dispose();
    }
  };
}
