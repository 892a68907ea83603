import type { CreateHooksOptions } from 'tenterhook';
import { type AgentScene, withClient } from '../../support/agent.js';
import { says } from '../../support/fire-hooks.js';

/** Creates an agent with these hooks of ECA, by key, for the time of a test. */
export function withEcaAgent<Result>(
  hooks: Readonly<Record<string, object>>,
  use: (scene: AgentScene) => Promise<Result>,
  options: CreateHooksOptions = {},
): Promise<Result> {
  return withClient({ settings: { hooks }, dialect: 'eca', ...options }, use);
}

/** The block with the context of hooks that the model reads. */
export function blockOf(text: string): string {
  return `<hook_context>\n${text}\n</hook_context>`;
}

/** A tool call of the host that hooks of ECA receive as `eca__shell_command`. */
export const shellCall = { name: 'run_shell_command', input: { command: 'ls' } };

/** A command that prints every field that could change something. */
export const saysEverything = says({
  additionalContext: 'context',
  replacedPrompt: 'another prompt',
  updatedInput: { command: 'rm' },
  approval: 'deny',
});
