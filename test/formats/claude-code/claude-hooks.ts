import { createHookClient, type HookClient } from '@tenterhook/agent';
import type { HookEventHandler } from '@tenterhook/engine';
import type { AggregatedHookResult, HookEventName } from '@tenterhook/protocol';
import type { CreateHooksOptions } from 'tenterhook';
import { type Scene, says, withEndingHooks } from '../../support/fire-hooks.js';

/** A command, or a handler as in settings. */
export type Handler = string | Readonly<Record<string, unknown>>;

/** The value of "hooks" in a settings file. */
export type HookGroups = Readonly<Record<string, readonly object[]>>;

/** One group of handlers. */
export function groupOf(handlers: Handler | readonly Handler[], fields: Readonly<Record<string, unknown>> = {}): object {
  const list = (Array.isArray(handlers) ? handlers : [handlers]) as readonly Handler[];
  return { ...fields, hooks: list.map((each) => (typeof each === 'string' ? { type: 'command', command: each } : each)) };
}

/** One group of one event, by Claude Code's name of the event. */
export function hooksOf(event: string, handlers: Handler | readonly Handler[], fields: Readonly<Record<string, unknown>> = {}): HookGroups {
  return { [event]: [groupOf(handlers, fields)] };
}

/** The kind of hook that most cases use. */
export function preToolUse(handlers: Handler | readonly Handler[], fields: Readonly<Record<string, unknown>> = {}): HookGroups {
  return hooksOf('PreToolUse', handlers, fields);
}

export function command(text: string, fields: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  return { type: 'command', command: text, ...fields };
}

export interface ClaudeScene extends Scene {
  readonly client: HookClient;
}

/** Creates a system with these hooks in its own project, for the time of a test. */
export function withClaude<Result>(
  hooks: HookGroups,
  use: (scene: ClaudeScene) => Promise<Result>,
  options: CreateHooksOptions = {},
): Promise<Result> {
  return withEndingHooks({ settings: { hooks }, dialect: 'claude-code', ...options }, (scene) =>
    use({ ...scene, client: createHookClient(scene.hooks) }),
  );
}

/** Fires what the cases call "PreToolUse for Bash": the host's shell tool is about to run a command. */
export function callBash(handler: HookEventHandler, line = 'npm test'): Promise<AggregatedHookResult> {
  return handler.fireBeforeToolEvent('run_shell_command', { command: line });
}

/** Fires the same event with handlers in one group of PreToolUse. */
export function fireBash(
  handlers: Handler | readonly Handler[],
  fields: Readonly<Record<string, unknown>> = {},
): Promise<AggregatedHookResult> {
  return withClaude(preToolUse(handlers, fields), ({ handler }) => callBash(handler));
}

/** Fires any event with handlers in one group of it. `event` is Claude Code's name, `eventName` the canonical one. */
export function fireClaude(
  [event, eventName, input]: Moment,
  handlers: Handler | readonly Handler[],
  fields: Readonly<Record<string, unknown>> = {},
): Promise<AggregatedHookResult> {
  return withClaude(hooksOf(event, handlers, fields), ({ handler }) => handler.fire(eventName, input));
}

/** An event by Claude Code's name and the canonical one, with an input. */
export type Moment = readonly [event: string, eventName: HookEventName, input: Readonly<Record<string, unknown>>];

/** A command that prints fields of `hookSpecificOutput` for an event. */
export function specific(event: string, fields: Readonly<Record<string, unknown>>): string {
  return says({ hookSpecificOutput: { hookEventName: event, ...fields } });
}

/** A command that prints a permission decision. */
export function permission(permissionDecision: string, fields: Readonly<Record<string, unknown>> = {}): string {
  return specific('PreToolUse', { permissionDecision, ...fields });
}

export function idOf(place = '0.0', eventName: HookEventName = 'BeforeTool', source = 'settings'): string {
  return `claude-code/${source}/${eventName}/${place}`;
}

/** Reads what a hook received and wrote to a file of the project. */
export function seen(scene: Scene, file = 'seen.json'): Record<string, unknown> {
  const text = scene.read(file);
  if (text === undefined) throw new Error(`no hook wrote ${file}`);
  return JSON.parse(text);
}

/** How each hook ended, in plan order: its status, or why it did not run. */
export function deeds(result: AggregatedHookResult): string[] {
  return result.outcomes.map(({ status, skipReason }) => (skipReason === undefined ? status : `${status}: ${skipReason}`));
}

export function specificOf(result: AggregatedHookResult): Readonly<Record<string, unknown>> {
  return result.finalOutput?.hookSpecificOutput ?? {};
}

/** The texts of a hook that only the user reads: from its answer, or about its failure. */
export function toldTheUser(result: AggregatedHookResult): string {
  return JSON.stringify([specificOf(result)['userMessage'], result.outcomes.map(({ warnings }) => warnings)]);
}

/** A placeholder as in settings: `${NAME}`. */
export function braced(name: string): string {
  return `\${${name}}`;
}
