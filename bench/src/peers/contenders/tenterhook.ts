import { createHooks } from 'tenterhook';
import { type CommandHooks, type Contender, tool } from './contender.js';

/** Tenterhook as an agent uses it: settings, a request on the bus, and a verdict. On Linux, lanes start the hooks. */
export const tenterhook = contender('Tenterhook', { spawner: 'auto' });

/** The same, where the process of the agent starts each hook. */
export const tenterhookDirect = contender('Tenterhook, direct starts', { spawner: 'direct' });

/** The same, where one process of the hook answers all events. */
export const tenterhookResident = contender('Tenterhook, resident', { mode: 'resident' });

interface Way {
  /** Given, because the environment may name another one. */
  readonly spawner?: 'auto' | 'direct';
  readonly mode?: 'resident';
}

function contender(name: string, { mode, ...options }: Way): Contender {
  return {
    name,
    start: async (wanted, input) => {
      const { count = 1, prints } = wanted;
      const hooks = await createHooks({ projectDir: '.', sessionId: 'bench', settings: settingsOf(wanted, mode), ...options });
      const handler = hooks.getEventHandler();
      const kind = prints === '{"decision":"allow"}' ? 'allow' : 'none';
      const route = mode ?? (options.spawner === 'direct' || process.platform !== 'linux' ? undefined : 'lane');
      return {
        name,
        fire: async () => {
          const { success, outcomes, verdict } = await handler.fireBeforeToolEvent(tool, input);
          const answered = outcomes.filter(
            (outcome) => outcome.status === 'succeeded' && (route ?? outcome.route?.kind) === outcome.route?.kind,
          );
          if (!success || answered.length !== count || verdict.kind !== kind) throw new Error(`${name}: not every hook answered`);
        },
        dispose: () => hooks.dispose(),
      };
    },
  };
}

/** Hooks with different names, because both Tenterhook and Gemini CLI run equal hooks only once. */
export function settingsOf(
  { command, count = 1, sequential = false }: CommandHooks,
  mode?: Way['mode'],
): {
  hooks: { BeforeTool: { sequential: boolean; hooks: { type: string; name: string; command: string; mode?: string }[] }[] };
} {
  const hooks = Array.from({ length: count }, (_, index) => ({ type: 'command', name: `h${index}`, command, ...(mode && { mode }) }));
  return { hooks: { BeforeTool: [{ sequential, hooks }] } };
}
