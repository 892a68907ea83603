import { antigravity } from '@tenterhook/dialects';
import type { AggregatedHookResult, HookEventName, HookOutcome } from '@tenterhook/protocol';
import type { CreateHooksOptions } from 'tenterhook';
import { type AgentScene, withClient } from '../../support/agent.js';

export type AntigravityOptions = NonNullable<Parameters<typeof antigravity>[0]>;
type Fields = Readonly<Record<string, unknown>>;

/** A command, or a hook with its fields. A matcher is that of its group. */
export type Entry = string | Fields;

/** Settings with one named group, which has these hooks of one event. */
export function hooksOf(event: string, ...entries: readonly Entry[]): Record<string, Fields> {
  return { guards: listOf(event, ...entries) };
}

/** The hooks of one event, as a named group has them. */
export function listOf(event: string, ...entries: readonly Entry[]): Record<string, readonly object[]> {
  const hooks = entries.map((entry): Fields => (typeof entry === 'string' ? { type: 'command', command: entry } : entry));
  if (!['PreToolUse', 'PostToolUse'].includes(event)) return { [event]: hooks };
  return { [event]: hooks.map(({ matcher, ...hook }) => ({ ...(matcher === undefined ? {} : { matcher }), hooks: [hook] })) };
}

/** Creates a system with these settings. */
export function withAntigravity<Result>(
  settings: object,
  use: (scene: AgentScene) => Promise<Result>,
  options: CreateHooksOptions & { readonly antigravity?: AntigravityOptions } = {},
): Promise<Result> {
  const { antigravity: own, ...others } = options;
  return withClient({ settings, dialects: [antigravity(own)], dialect: 'antigravity', ...others }, use);
}

/** A canonical event with an input. */
export type Moment = readonly [eventName: HookEventName, input: Fields];

const call = { tool_name: 'run_shell_command', tool_input: { command: 'npm test' } };
const request = { messages: [{ role: 'user', content: 'fix it' }] };

export const shell: Moment = ['BeforeTool', call];
export const mcp: Moment = [
  'BeforeTool',
  { tool_name: 'mcp_gh_search', tool_input: { q: 'x' }, mcp_context: { server_name: 'gh', tool_name: 'search' } },
];
export const write: Moment = ['BeforeTool', { tool_name: 'write_file', tool_input: { file_path: '/srv/a.txt', content: 'x' } }];
export const after: Moment = ['AfterTool', { ...call, tool_response: { llmContent: 'ok', returnDisplay: 'ok' } }];
export const failed: Moment = ['AfterTool', { ...call, tool_response: { llmContent: '', error: { message: 'broken' } } }];
export const beforeModel: Moment = ['BeforeModel', { llm_request: request }];
export const afterModel: Moment = ['AfterModel', { llm_request: request, llm_response: { text: 'done' } }];
export const stop: Moment = ['AfterAgent', { prompt: 'fix it', prompt_response: 'done', stop_hook_active: false }];
export const start: Moment = ['SessionStart', { source: 'startup' }];

/** Fires an event with hooks of one of Antigravity's events. */
export function fire([eventName, input]: Moment, event: string, entries: Entry | readonly Entry[], own: AntigravityOptions = {}) {
  const list = (Array.isArray(entries) ? entries : [entries]) as readonly Entry[];
  return withAntigravity(hooksOf(event, ...list), ({ handler }) => handler.fire(eventName, input), { antigravity: own });
}

/** How each hook ended, in plan order: its status, or why it did not run. */
export function deeds(result: AggregatedHookResult): string[] {
  return result.outcomes.map(({ status, skipReason }) => (skipReason === undefined ? status : `${status}: ${skipReason}`));
}

export function warningsOf({ warnings }: HookOutcome): string {
  return warnings.map(({ code, message }) => `${code}: ${message}`).join('\n');
}

export function specificOf(result: AggregatedHookResult): Fields {
  return result.finalOutput?.hookSpecificOutput ?? {};
}

/** Reads what a hook received and wrote to a file of the project. */
export function seen(scene: { read(file: string): string | undefined }, file = 'seen.json'): Record<string, unknown> {
  const text = scene.read(file);
  if (text === undefined) throw new Error(`no hook wrote ${file}`);
  return JSON.parse(text);
}
