import type { McpContext } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { describeOption, nearestName } from '@tenterhook/runtime/text';
import type { Ask } from '../permission/ask-user.js';
import { operationRules } from '../require-call.js';
import type { OnMessage } from './adapter-messages.js';

/** The options that adapters of frameworks share. An adapter accepts those that its framework can do. */
export interface AdapterOptions {
  /** Asks the user when a hook asks, and waits for the answer. @default the user cannot be asked, so an ask is a deny */
  readonly ask?: Ask | undefined;
  /** `framework`: when a hook asks, the question becomes the framework's own suspension. @default `ask` decides */
  readonly approvals?: 'framework' | undefined;
  /**
   * What happens with a streamed response while hooks of AfterModel exist. `hold` passes it on after the hooks have answered. `observe`
   * passes it on at once, so the hooks can change nothing.
   * @default 'hold'
   */
  readonly afterModel?: 'hold' | 'observe' | undefined;
  /** Receives the messages of hooks. What it throws is ignored. @default messages for the user are not shown */
  readonly onMessage?: OnMessage | undefined;
  /** How often an event before an operation is fired again if a hook postpones the operation. An integer from 0. @default 3 */
  readonly maxRetries?: number | undefined;
  /** Returns the name of the MCP server of a tool, or undefined for a tool of the agent itself. @default no tool is of an MCP server */
  readonly mcpServerOf?: ((toolName: string) => string | undefined) | undefined;
}

/** What an option must be. `isValid` is not called for `undefined`, which means that the option is not given. */
export interface OptionRule {
  readonly expected: string;
  isValid(value: unknown): boolean;
}

export const functionRule: OptionRule = { expected: 'a function', isValid: (value) => typeof value === 'function' };

/** The rules of the shared options. An adapter passes those that it accepts, and rules of its own options. */
export const adapterRules: Readonly<Record<keyof AdapterOptions, OptionRule>> = {
  ask: operationRules.ask,
  approvals: { expected: '"framework"', isValid: (value) => value === 'framework' },
  afterModel: { expected: '"hold" or "observe"', isValid: (value) => value === 'hold' || value === 'observe' },
  onMessage: functionRule,
  maxRetries: operationRules.maxRetries,
  mcpServerOf: functionRule,
};

/**
 * Throws a TypeError for an unknown or invalid option, when the adapter is made. Otherwise the mistake would have no effect until a hook
 * asks, and a misspelt `ask` would deny every question.
 */
export function requireAdapterOptions(caller: string, options: unknown, rules: Readonly<Record<string, OptionRule>> = adapterRules): void {
  if (options === undefined) return;
  const names = Object.keys(rules);
  if (!isPlainObject(options)) {
    throw new TypeError(`${caller}: the options must be an object { ${names.join(', ')} }, and are ${describeOption(options)}.`);
  }
  for (const [name, value] of Object.entries(options)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule === undefined) {
      const meant = nearestName(name, names);
      const remedy = meant === undefined ? `Its options are ${names.join(', ')}.` : `Did you mean "${meant}"?`;
      throw new TypeError(`${caller} has no option "${name}". ${remedy}`);
    }
    if (value === undefined || rule.isValid(value)) continue;
    throw new TypeError(`${caller}: "${name}" must be ${rule.expected}, and is ${describeOption(value)}.`);
  }
}

/** Returns the `mcpContext` of a call. A function that throws fails the call, because a guard may match only tools of a server. */
export function toMcpContext(mcpServerOf: AdapterOptions['mcpServerOf'], toolName: string): McpContext | undefined {
  const server = mcpServerOf?.(toolName);
  return server === undefined ? undefined : { server_name: server };
}
