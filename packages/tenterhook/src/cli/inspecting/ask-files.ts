import type { HookSystem } from '@tenterhook/engine';
import type { AskFiles } from '@tenterhook/inspector';
import { isHookEventName } from '@tenterhook/protocol';
import { answerQuestion } from '../../inspect/answer-question.js';
import { type CommandContext, directoryOf } from '../context.js';
import { loadHooks } from '../hooks/load-hooks.js';

/** Returns a function that asks the settings files of a project as they are now. Runs no hook. */
export function askFiles(projectDir: () => string | undefined, context: CommandContext): AskFiles | undefined {
  const current = directoryOf(context);
  if ((projectDir() ?? current) === undefined) return undefined;
  return async (query, { eventName, input }) => {
    if (!isHookEventName(eventName)) {
      return {
        hooks: [],
        issues: [{ path: 'eventName', message: `There is no event "${eventName}".`, remedy: 'Run tenterhook events for a list.' }],
      };
    }
    let system: HookSystem | undefined;
    const { hooks } = await loadHooks({ cwd: projectDir() ?? (current as string) }, context, {
      onSystem: (loaded) => {
        system = loaded;
      },
    });
    try {
      return answerQuestion(system as HookSystem, query, eventName, input);
    } finally {
      await hooks.dispose();
    }
  };
}
