import { codex } from '@tenterhook/dialects';
import type { HookEventHandler } from '@tenterhook/engine';
import type { AggregatedHookResult, HookEventName, HookOutcome } from '@tenterhook/protocol';
import type { CreateHooksOptions } from 'tenterhook';
import { type AgentScene, withClient } from '../../support/agent.js';
import { outcomeAt, type Scene, says } from '../../support/fire-hooks.js';

type CodexOptions = NonNullable<Parameters<typeof codex>[0]>;
type Fields = Readonly<Record<string, unknown>>;

/** A command, or a hook with its fields. */
export type Handler = string | Fields;

/** A group as in settings. */
export function groupOf(handlers: Handler | readonly Handler[], fields: Fields = {}): object {
  const list = (Array.isArray(handlers) ? handlers : [handlers]) as readonly Handler[];
  return { ...fields, hooks: list.map((each) => (typeof each === 'string' ? { type: 'command', command: each } : each)) };
}

/** One group of one event, by Codex's name of the event. */
export function hooksOf(event: string, handlers: Handler | readonly Handler[], fields: Fields = {}): Record<string, readonly object[]> {
  return { [event]: [groupOf(handlers, fields)] };
}

/** Creates a system with these groups. Settings that a program passes need no review. */
export function withCodex<Result>(
  hooks: Fields,
  use: (scene: AgentScene) => Promise<Result>,
  options: CreateHooksOptions & { readonly codex?: CodexOptions } = {},
): Promise<Result> {
  const { codex: own, ...others } = options;
  return withClient({ settings: { hooks }, dialects: [codex(own)], dialect: 'codex', ...others }, use);
}

/** An event by Codex's name and the canonical one, with an input. */
export type Moment = readonly [event: string, eventName: HookEventName, input: Fields];

export const bash: Moment = ['PreToolUse', 'BeforeTool', { tool_name: 'run_shell_command', tool_input: { command: 'npm test' } }];
export const after: Moment = [
  'PostToolUse',
  'AfterTool',
  { tool_name: 'run_shell_command', tool_input: { command: 'npm test' }, tool_response: { llmContent: 'ok', returnDisplay: 'ok' } },
];
export const request: Moment = [
  'PermissionRequest',
  'PermissionRequest',
  { tool_name: 'run_shell_command', tool_input: { command: 'npm test' } },
];
export const prompt: Moment = ['UserPromptSubmit', 'BeforeAgent', { prompt: 'fix it' }];
export const stop: Moment = ['Stop', 'AfterAgent', { prompt: 'fix it', prompt_response: 'done', stop_hook_active: false }];
export const start: Moment = ['SessionStart', 'SessionStart', { source: 'startup' }];
export const end: Moment = ['SessionEnd', 'SessionEnd', { reason: 'exit' }];

/** Every event of Codex. */
export const moments: readonly Moment[] = [
  bash,
  request,
  after,
  prompt,
  stop,
  start,
  end,
  ['PreCompact', 'PreCompress', { trigger: 'auto' }],
  ['PostCompact', 'PostCompress', { trigger: 'manual' }],
  ['SubagentStart', 'SubagentStart', { agent_id: 'a1', agent_type: 'explore' }],
  ['SubagentStop', 'SubagentStop', { agent_id: 'a1', agent_type: 'explore', stop_hook_active: false }],
  ['Interrupt', 'Interrupt', {}],
];

/** Fires an event with handlers in one group of it. */
export function fire(
  [event, eventName, input]: Moment,
  handlers: Handler | readonly Handler[],
  own: CodexOptions = {},
): Promise<AggregatedHookResult> {
  return withCodex(hooksOf(event, handlers), ({ handler }) => handler.fire(eventName, input), { codex: own });
}

/** Fires what the cases call "PreToolUse Bash". */
export function callBash(handler: HookEventHandler): Promise<AggregatedHookResult> {
  return handler.fire(bash[1], bash[2]);
}

/** A command that prints fields of `hookSpecificOutput` for an event. */
export function specific(event: string, fields: Fields): string {
  return says({ hookSpecificOutput: { hookEventName: event, ...fields } });
}

/** A command that prints a permission decision. */
export function permission(permissionDecision: string, fields: Fields = {}): string {
  return specific('PreToolUse', { permissionDecision, ...fields });
}

export function idOf(place = '0.0', eventName: HookEventName = 'BeforeTool', source = 'settings'): string {
  return `codex/${source}/${eventName}/${place}`;
}

/** How each hook ended, in plan order: its status, or why it did not run. */
export function deeds(result: AggregatedHookResult): string[] {
  return result.outcomes.map(({ status, skipReason }) => (skipReason === undefined ? status : `${status}: ${skipReason}`));
}

/** Checks that the only hook failed, that nothing was decided or changed, and returns its warnings as one text. */
export function failedRun(result: AggregatedHookResult): string {
  expect(result.outcomes.map(({ status }) => status)).toEqual(['failed']);
  expect(result.verdict).toMatchObject({ kind: 'none', stop: false });
  expect(result.changes).toEqual([]);
  return warningsOf(outcomeAt(result, 0));
}

export function warningsOf({ warnings }: HookOutcome): string {
  return warnings.map(({ code, message }) => `${code}: ${message}`).join('\n');
}

export function specificOf(result: AggregatedHookResult): Fields {
  return result.finalOutput?.hookSpecificOutput ?? {};
}

/** Reads what a hook received and wrote to a file of the project. */
export function seen(scene: Pick<Scene, 'read'>, file = 'seen.json'): Record<string, unknown> {
  const text = scene.read(file);
  if (text === undefined) throw new Error(`no hook wrote ${file}`);
  return JSON.parse(text);
}
