import { cursor } from '@tenterhook/dialects';
import type { AggregatedHookResult, HookEventName, HookOutcome } from '@tenterhook/protocol';
import type { CreateHooksOptions } from 'tenterhook';
import { type AgentScene, withClient } from '../../support/agent.js';

export type CursorOptions = NonNullable<Parameters<typeof cursor>[0]>;
type Fields = Readonly<Record<string, unknown>>;

/** A command, or a hook with its fields. */
export type Entry = string | Fields;

/** The hooks of one event. */
export function hooksOf(event: string, entries: Entry | readonly Entry[], fields: Fields = {}): Record<string, readonly object[]> {
  const list = (Array.isArray(entries) ? entries : [entries]) as readonly Entry[];
  return { [event]: list.map((each) => ({ ...(typeof each === 'string' ? { command: each } : each), ...fields })) };
}

export function settingsWith(hooks: Fields): object {
  return { version: 1, hooks };
}

/** Creates a system with these hooks. */
export function withCursor<Result>(
  hooks: Fields,
  use: (scene: AgentScene) => Promise<Result>,
  options: CreateHooksOptions & { readonly cursor?: CursorOptions } = {},
): Promise<Result> {
  const { cursor: own, ...others } = options;
  return withClient({ settings: settingsWith(hooks), dialects: [cursor(own)], dialect: 'cursor', ...others }, use);
}

/** A canonical event with an input. */
export type Moment = readonly [eventName: HookEventName, input: Fields];

const call = { tool_name: 'run_shell_command', tool_input: { command: 'npm test' } };
const mcpCall = { tool_name: 'mcp_gh_search', tool_input: { q: 'x' }, mcp_context: { server_name: 'gh', tool_name: 'search' } };
const response = { tool_response: { llmContent: 'ok', returnDisplay: 'ok' } };

export const shell: Moment = ['BeforeTool', call];
export const mcp: Moment = ['BeforeTool', mcpCall];
export const read: Moment = ['BeforeTool', { tool_name: 'read_file', tool_input: { file_path: '/srv/a.txt' } }];
export const write: Moment = ['BeforeTool', { tool_name: 'write_file', tool_input: { file_path: '/srv/a.txt', content: 'x' } }];
export const after: Moment = ['AfterTool', { ...call, ...response }];
export const afterMcp: Moment = ['AfterTool', { ...mcpCall, ...response }];
export const failed: Moment = ['AfterTool', { ...call, tool_response: { llmContent: '', error: { message: 'broken' } } }];
export const prompt: Moment = ['BeforeAgent', { prompt: 'fix it' }];
export const stop: Moment = ['AfterAgent', { prompt: 'fix it', prompt_response: 'done', stop_hook_active: false }];
export const start: Moment = ['SessionStart', { source: 'startup' }];
export const end: Moment = ['SessionEnd', { reason: 'exit' }];

/** Fires an event with hooks of one event of Cursor. */
export function fire(
  [eventName, input]: Moment,
  event: string,
  entries: Entry | readonly Entry[],
  own: CursorOptions = {},
): Promise<AggregatedHookResult> {
  return withCursor(hooksOf(event, entries), ({ handler }) => handler.fire(eventName, input), { cursor: own });
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
