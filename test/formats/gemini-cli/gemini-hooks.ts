import { geminiCli } from '@tenterhook/dialects';
import type { AggregatedHookResult, HookEventName } from '@tenterhook/protocol';
import type { CreateHooksOptions } from 'tenterhook';
import { type AgentScene, withClient } from '../../support/agent.js';
import { says } from '../../support/fire-hooks.js';

/** A command, or a hook with its other fields. Its type is `command` unless another is given. */
export type GeminiHook = string | { readonly command?: string; readonly [field: string]: unknown };

/** A group as in settings. */
export function groupOf(hooks: GeminiHook | readonly GeminiHook[], fields: Readonly<Record<string, unknown>> = {}): object {
  const all = Array.isArray(hooks) ? hooks : [hooks];
  return { ...fields, hooks: all.map((hook) => ({ type: 'command', ...(typeof hook === 'string' ? { command: hook } : hook) })) };
}

/** The groups of one event, with one group of these hooks. */
export function hooksOf(
  eventName: HookEventName,
  hooks: GeminiHook | readonly GeminiHook[],
  fields: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return { [eventName]: [groupOf(hooks, fields)] };
}

/** Creates a system with these settings, or with these groups under "hooks". */
export function withGemini<Result>(
  settings: Readonly<Record<string, unknown>>,
  use: (scene: AgentScene) => Promise<Result>,
  options: CreateHooksOptions = {},
): Promise<Result> {
  const whole = 'hooks' in settings ? settings : { hooks: settings };
  return withClient({ settings: whole, dialects: [geminiCli()], dialect: 'gemini-cli', ...options }, use);
}

/** Fires the call of the acceptance list, with these hooks in one group. */
export function fireWrite(
  hooks: GeminiHook | readonly GeminiHook[],
  fields: Readonly<Record<string, unknown>> = {},
): Promise<AggregatedHookResult> {
  return withGemini(hooksOf('BeforeTool', hooks, fields), ({ handler }) => handler.fireBeforeToolEvent('write_file', { a: 1 }));
}

/** Fires any event, with these hooks in one group. */
export function fire(
  eventName: HookEventName,
  input: Readonly<Record<string, unknown>>,
  hooks: GeminiHook | readonly GeminiHook[],
): Promise<AggregatedHookResult> {
  return withGemini(hooksOf(eventName, hooks), ({ handler }) => handler.fire(eventName, input));
}

export function idOf(last: string, eventName: HookEventName = 'BeforeTool', source = 'settings'): string {
  return `gemini-cli/${source}/${eventName}/${last}`;
}

/** A command that prints `hookSpecificOutput`. */
export function specific(hookSpecificOutput: Readonly<Record<string, unknown>>): string {
  return says({ hookSpecificOutput });
}

/** What each hook did, in plan order. */
export function deeds({ outcomes }: AggregatedHookResult): string[] {
  return outcomes.map(({ status, skipReason }) => (skipReason === undefined ? status : `${status}: ${skipReason}`));
}

/** Reads what a hook received and wrote to a file of the project. */
export function seen(scene: Pick<AgentScene, 'read'>, file = 'seen.json'): Record<string, unknown> {
  const text = scene.read(file);
  if (text === undefined) throw new Error(`no hook wrote ${file}`);
  return JSON.parse(text);
}
