import type { HookEventHandler } from '@tenterhook/engine';
import type { AggregatedHookResult, HookEventName } from '@tenterhook/protocol';
import type { CreateHooksOptions } from 'tenterhook';
import { type Scene, withEndingHooks } from '../../support/fire-hooks.js';

/** A shell command, or an action as in settings. */
export type Action = string | object;

/** A hook as it is written under its key in settings. */
export function hookOf(type: string, action: Action | readonly Action[], fields: Readonly<Record<string, unknown>> = {}): object {
  const actions = Array.isArray(action) ? action : [action];
  return { type, actions: actions.map((each) => (typeof each === 'string' ? { type: 'shell', shell: each } : each)), ...fields };
}

/** The kind of hook that most cases use. */
export function preToolCall(action: Action | readonly Action[], fields: Readonly<Record<string, unknown>> = {}): object {
  return hookOf('preToolCall', action, fields);
}

/** Creates a system with these hooks, by key, in its own project. */
export function withEca<Result>(
  hooks: Readonly<Record<string, object>>,
  use: (scene: Scene) => Promise<Result>,
  options: CreateHooksOptions = {},
): Promise<Result> {
  return withEndingHooks({ settings: { hooks }, dialect: 'eca', ...options }, use);
}

/** Fires "P" of the acceptance list: the host's shell tool is about to run `ls`. */
export function callShell(handler: HookEventHandler): Promise<AggregatedHookResult> {
  return handler.fireBeforeToolEvent('run_shell_command', { command: 'ls' });
}

/** Fires P with these hooks. */
export function fireShell(hooks: Readonly<Record<string, object>>): Promise<AggregatedHookResult> {
  return withEca(hooks, ({ handler }) => callShell(handler));
}

/** Fires a prompt with these hooks. */
export function firePrompt(hooks: Readonly<Record<string, object>>, prompt = 'p'): Promise<AggregatedHookResult> {
  return withEca(hooks, ({ handler }) => handler.fireBeforeAgentEvent(prompt));
}

export function idOf(name: string, eventName: HookEventName = 'BeforeTool', source = 'settings'): string {
  return `eca/${source}/${eventName}/${name}`;
}

/** Reads what a hook received and wrote to a file of the project. */
export function seen(scene: Scene, file = 'seen.json'): Record<string, unknown> {
  const text = scene.read(file);
  if (text === undefined) throw new Error(`no hook wrote ${file}`);
  return JSON.parse(text);
}

/** What each hook did, in plan order. */
export function deeds(result: AggregatedHookResult): (string | undefined)[][] {
  return result.outcomes.map(({ name, status, skipReason }) => (skipReason === undefined ? [name, status] : [name, status, skipReason]));
}

export function contextOf(result: AggregatedHookResult): unknown {
  return result.finalOutput?.hookSpecificOutput?.['additionalContext'];
}
