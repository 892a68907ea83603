import { createHooks } from 'tenterhook';
import { type CommandHooks, type Contender, tool } from './contender.js';

/** Tenterhook as an agent uses it: settings, a request on the bus, and a verdict. */
export const tenterhook: Contender = {
  name: 'Tenterhook',
  start: async (wanted, input) => {
    const { count = 1, prints } = wanted;
    const hooks = await createHooks({ projectDir: '.', sessionId: 'bench', settings: settingsOf(wanted) });
    const handler = hooks.getEventHandler();
    const kind = prints === '{"decision":"allow"}' ? 'allow' : 'none';
    return {
      name: 'Tenterhook',
      fire: async () => {
        const { success, outcomes, verdict } = await handler.fireBeforeToolEvent(tool, input);
        const answered = outcomes.filter(({ status }) => status === 'succeeded').length;
        if (!success || answered !== count || verdict.kind !== kind) throw new Error('Tenterhook: not every hook answered');
      },
      dispose: () => hooks.dispose(),
    };
  },
};

/** Hooks with different names, because both Tenterhook and Gemini CLI run equal hooks only once. */
export function settingsOf({ command, count = 1, sequential = false }: CommandHooks): {
  hooks: { BeforeTool: { sequential: boolean; hooks: { type: string; name: string; command: string }[] }[] };
} {
  const hooks = Array.from({ length: count }, (_, index) => ({ type: 'command', name: `h${index}`, command }));
  return { hooks: { BeforeTool: [{ sequential, hooks }] } };
}
