import type { HookDefinition, HookEvent, HookEventName, Invocation } from '@tenterhook/protocol';
import { stdinText } from '../shared/input.js';
import { commandDataOf } from '../shared/settings/command-hooks.js';

/**
 * The events that LLxprt Code itself fires. The format also has the other events of the catalogue, because other agents fire them.
 */
export const productEvents: readonly HookEventName[] = [
  'BeforeTool',
  'AfterTool',
  'BeforeAgent',
  'AfterAgent',
  'BeforeModel',
  'AfterModel',
  'BeforeToolSelection',
  'SessionStart',
  'SessionEnd',
  'PreCompress',
  'Notification',
];

const stdinOf = stdinText(({ input }) => input);

/**
 * Returns the command of a hook. The command is the text in the settings, and the shell expands it (decision 30). The hook reads
 * the event as one JSON object on stdin.
 */
export function invocation(event: HookEvent, hook: HookDefinition, environment: Readonly<Record<string, string>>): Invocation {
  if (hook.action.kind !== 'command') throw new TypeError(`an LLxprt hook must be a command, and is "${hook.action.kind}"`);
  const { projectDir } = event;
  return {
    kind: 'command',
    command: { kind: 'shell', text: hook.action.command },
    cwd: event.input.cwd,
    env: {
      ...environment,
      ...projectVariables(projectDir),
      ...commandDataOf(hook).env,
    },
    stdin: stdinOf(event),
  };
}

/** Returns variables with the path of the project. Some have the names of other agents, from which users copy hooks. */
export function projectVariables(projectDir: string): Readonly<Record<string, string>> {
  return { LLXPRT_PROJECT_DIR: projectDir, GEMINI_PROJECT_DIR: projectDir, CLAUDE_PROJECT_DIR: projectDir };
}
