import type { HookDefinition, HookEvent, HookInput, Invocation } from '@tenterhook/protocol';
import { dataOf } from './hook-data.js';

const texts = new WeakMap<HookInput, string>();

/** What runs: the command as it was written, for the shell to expand (decision 30), with the event as one JSON object on stdin. */
export function invocation(event: HookEvent, hook: HookDefinition, environment: Readonly<Record<string, string>>): Invocation {
  if (hook.action.kind !== 'command') throw new TypeError(`an LLxprt hook is a command and not "${hook.action.kind}"`);
  const { projectDir } = event;
  return {
    kind: 'command',
    command: { kind: 'shell', text: hook.action.command },
    cwd: event.input.cwd,
    env: {
      ...environment,
      LLXPRT_PROJECT_DIR: projectDir,
      GEMINI_PROJECT_DIR: projectDir,
      CLAUDE_PROJECT_DIR: projectDir,
      ...dataOf(hook).env,
    },
    stdin: stdinOf(event),
  };
}

/** Written once for all hooks that see the same input. */
function stdinOf(event: HookEvent): string {
  if (event.eventName === 'BeforeAgent' && event.contextSoFar !== undefined) {
    // The next hook sees the context of those before it in the prompt; the prompt itself is not rewritten by it (decision 18).
    return JSON.stringify({ ...event.input, prompt: `${String(event.input['prompt'])}\n\n${event.contextSoFar}` });
  }
  let text = texts.get(event.input);
  if (text === undefined) {
    text = JSON.stringify(event.input);
    texts.set(event.input, text);
  }
  return text;
}
