import type { HookClient } from '@tenterhook/agent';
import {
  type AdapterOptions,
  adapterRules,
  type ClientSource,
  requireAdapterOptions,
  requireClientSource,
} from '@tenterhook/agent/internal';

/** Options of `withHooks`. */
export interface HookOptions extends AdapterOptions {
  /**
   * `framework`: when a hook asks, the question becomes a `tool-approval-request` of the AI SDK, and the run ends until it is continued with
   * the answer. Only AI SDK 6 and 7 can do this. @default `ask` decides
   */
  readonly approvals?: 'framework' | undefined;
}

/** What the parts of an adapter have in common: the client of the session, and the options. */
export interface Hooked {
  /** Returns the client of the present session. */
  readonly client: () => HookClient;
  readonly source: ClientSource;
  /** The names of the tools that have been reported because they cannot pass the hooks. */
  readonly reported: Set<string>;
  readonly options: HookOptions;
}

/** Throws a TypeError for a wrong client or option. */
export function requireHookOptions(caller: string, source: unknown, options: unknown): void {
  requireClientSource(caller, source);
  requireAdapterOptions(caller, options, adapterRules);
}
