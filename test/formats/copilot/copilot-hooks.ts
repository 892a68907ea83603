import { copilot } from '@tenterhook/dialects';
import type { AggregatedHookResult, HookEventName, HookOutcome } from '@tenterhook/protocol';
import type { CreateHooksOptions } from 'tenterhook';
import { type AgentScene, withClient } from '../../support/agent.js';

export type CopilotOptions = NonNullable<Parameters<typeof copilot>[0]>;
type Fields = Readonly<Record<string, unknown>>;

/** A command, or a hook with its fields. */
export type Entry = string | Fields;

/** The hooks of one event. */
export function hooksOf(key: string, ...entries: readonly Entry[]): Record<string, readonly object[]> {
  return { [key]: entries.map((entry) => (typeof entry === 'string' ? { type: 'command', command: entry } : entry)) };
}

export function settingsWith(hooks: Fields): object {
  return { version: 1, hooks };
}

/** Creates a system with these hooks. */
export function withCopilot<Result>(
  hooks: Fields,
  use: (scene: AgentScene) => Promise<Result>,
  options: CreateHooksOptions & { readonly copilot?: CopilotOptions } = {},
): Promise<Result> {
  const { copilot: own, ...others } = options;
  return withClient({ settings: settingsWith(hooks), dialects: [copilot(own)], dialect: 'copilot', ...others }, use);
}

/** A canonical event with an input. */
export type Moment = readonly [eventName: HookEventName, input: Fields];

const call = { tool_name: 'run_shell_command', tool_input: { command: 'npm test' } };
const response = { tool_response: { llmContent: 'ok', returnDisplay: 'ok' } };

export const shell: Moment = ['BeforeTool', call];
export const mcp: Moment = [
  'BeforeTool',
  { tool_name: 'mcp_gh_search', tool_input: { q: 'x' }, mcp_context: { server_name: 'gh', tool_name: 'search' } },
];
export const write: Moment = ['BeforeTool', { tool_name: 'write_file', tool_input: { file_path: '/srv/a.txt', content: 'x' } }];
export const after: Moment = ['AfterTool', { ...call, ...response }];
export const failed: Moment = ['AfterTool', { ...call, tool_response: { llmContent: '', error: { message: 'broken' } } }];
export const permission: Moment = ['PermissionRequest', call];
export const prompt: Moment = ['BeforeAgent', { prompt: 'fix it' }];
export const stop: Moment = ['AfterAgent', { prompt: 'fix it', prompt_response: 'done', stop_hook_active: false }];
export const start: Moment = ['SessionStart', { source: 'startup' }];

/** Fires an event with hooks of one key. */
export function fire([eventName, input]: Moment, key: string, entries: Entry | readonly Entry[], own: CopilotOptions = {}) {
  const list = (Array.isArray(entries) ? entries : [entries]) as readonly Entry[];
  return withCopilot(hooksOf(key, ...list), ({ handler }) => handler.fire(eventName, input), { copilot: own });
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
