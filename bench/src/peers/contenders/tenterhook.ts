import { createHooks } from 'tenterhook';
import { type CommandHooks, type Contender, tool } from './contender.js';

type Options = NonNullable<Parameters<typeof createHooks>[0]>;

/** Tenterhook as an agent uses it: settings, a request on the bus, and a verdict. */
export const tenterhook = contender('Tenterhook', {});

/** The same, where resident shells start the hooks. */
export const tenterhookLanes = contender('Tenterhook, lanes', { spawner: 'lanes' });

function contender(name: string, options: Partial<Options>): Contender {
  return {
    name,
    start: async (wanted, input) => {
      const { count = 1, prints } = wanted;
      const hooks = await createHooks({ projectDir: '.', sessionId: 'bench', settings: settingsOf(wanted), ...options });
      const handler = hooks.getEventHandler();
      const kind = prints === '{"decision":"allow"}' ? 'allow' : 'none';
      const route = options.spawner === 'lanes' ? 'lane' : undefined;
      return {
        name,
        fire: async () => {
          const { success, outcomes, verdict } = await handler.fireBeforeToolEvent(tool, input);
          const answered = outcomes.filter((outcome) => outcome.status === 'succeeded' && outcome.route?.kind === route).length;
          if (success && answered === count && verdict.kind === kind) return;
          throw new Error(
            `${name}: not every hook answered: ${JSON.stringify({ verdict, outcomes: outcomes.slice(0, 3) }).slice(0, 2000)}`,
          );
        },
        dispose: () => hooks.dispose(),
      };
    },
  };
}

/** Hooks with different names, because both Tenterhook and Gemini CLI run equal hooks only once. */
export function settingsOf({ command, count = 1, sequential = false }: CommandHooks): {
  hooks: { BeforeTool: { sequential: boolean; hooks: { type: string; name: string; command: string }[] }[] };
} {
  const hooks = Array.from({ length: count }, (_, index) => ({ type: 'command', name: `h${index}`, command }));
  return { hooks: { BeforeTool: [{ sequential, hooks }] } };
}
