import type { HookDefinition, HookEvent, HookEventName, Invocation } from '@tenterhook/protocol';
import { stdinText } from '../shared/input.js';
import { commandDataOf } from '../shared/settings/command-hooks.js';

/** The events that LLxprt Code itself fires. Its format here has every event of the catalogue, for agents that fire them. */
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

/** The command as it was written, for the shell to expand (decision 30), with the event as one JSON object on stdin. */
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

/** The directory of the project, under its name here and at the agents that hooks are brought from. */
export function projectVariables(projectDir: string): Readonly<Record<string, string>> {
  return { LLXPRT_PROJECT_DIR: projectDir, GEMINI_PROJECT_DIR: projectDir, CLAUDE_PROJECT_DIR: projectDir };
}
