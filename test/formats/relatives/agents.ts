import { auggie, codeBuddy, devin, factoryDroid, qwenCode, type RelativeOptions, trae } from '@tenterhook/dialects';
import type { Dialect, HookEventName } from '@tenterhook/protocol';
import type { CreateHooksOptions } from 'tenterhook';
import { type AgentScene, withClient } from '../../support/agent.js';

type Fields = Readonly<Record<string, unknown>>;

export const creators = {
  'qwen-code': qwenCode,
  factory: factoryDroid,
  codebuddy: codeBuddy,
  devin,
  trae,
  auggie,
} as const satisfies Record<string, (options?: RelativeOptions) => Dialect>;

export type AgentName = keyof typeof creators;

export const agentNames = Object.keys(creators) as AgentName[];

/** A value for each agent. */
export function rowsOf<Value>(values: Readonly<Partial<Record<AgentName, Value>>>): (readonly [AgentName, Value])[] {
  return Object.entries(values) as (readonly [AgentName, Value])[];
}

/** One group of one event. A text is a command. */
export function group(hooks: string | Fields | readonly (string | Fields)[], fields: Fields = {}): Fields {
  const list = (Array.isArray(hooks) ? hooks : [hooks]) as readonly (string | Fields)[];
  return { ...fields, hooks: list.map((hook) => (typeof hook === 'string' ? { type: 'command', command: hook } : hook)) };
}

/** Creates a system with these groups in the format of an agent. */
export function withAgent<Result>(
  name: AgentName,
  groups: Readonly<Record<string, Fields | readonly Fields[]>>,
  use: (scene: AgentScene) => Promise<Result>,
  options: CreateHooksOptions & { readonly own?: RelativeOptions } = {},
): Promise<Result> {
  const { own, ...others } = options;
  const hooks = Object.fromEntries(Object.entries(groups).map(([event, given]) => [event, Array.isArray(given) ? given : [given]]));
  return withClient({ settings: { hooks }, dialects: [creators[name](own)], dialect: name, ...others }, use);
}

export type Moment = readonly [eventName: HookEventName, input: Fields];

export const call = { tool_name: 'run_shell_command', tool_input: { command: 'npm test' } };
export const shell: Moment = ['BeforeTool', call];
export const after: Moment = ['AfterTool', { ...call, tool_response: { llmContent: 'ok', returnDisplay: 'ok' } }];
export const failed: Moment = ['AfterTool', { ...call, tool_response: { llmContent: 'boom', error: { message: 'boom' } } }];
export const prompt: Moment = ['BeforeAgent', { prompt: 'fix it' }];
export const stop: Moment = ['AfterAgent', { prompt: 'fix it', prompt_response: 'done', stop_hook_active: false }];
export const start: Moment = ['SessionStart', { source: 'startup' }];
export const search: Moment = ['BeforeTool', { tool_name: 'search', tool_input: { q: 'x' }, mcp_context: { server_name: 'gh' } }];

/** The name of the event of a prompt. */
export const promptOf = (name: AgentName) => (name === 'auggie' ? 'PromptSubmit' : 'UserPromptSubmit');

/** Reads what a hook received and wrote to a file of the project. */
export function seen({ read }: Pick<AgentScene, 'read'>, file = 'seen.json'): Record<string, unknown> {
  const text = read(file);
  if (text === undefined) throw new Error(`no hook wrote ${file}`);
  return JSON.parse(text);
}
