import type { HookClient } from '@tenterhook/agent';
import {
  type AdapterOptions,
  adapterRules,
  type ClientSource,
  getClient,
  type OptionRule,
  requireAdapterOptions,
  requireClientSource,
} from '@tenterhook/agent/internal';

/** Options of `hookAgent` and `runWithHooks`. */
export interface HookOptions extends AdapterOptions {
  /**
   * `framework`: when a hook asks, the run ends with an entry in `interruptions`. Approve or reject it, and run the state again. With `ask`,
   * this has no effect. @default `ask` decides
   */
  readonly approvals?: 'framework' | undefined;
}

/** The client and the options of a hooked agent or model. */
export interface Hooked {
  readonly caller: string;
  readonly source: ClientSource;
  readonly options: HookOptions;
}

/** Returns the client of the present session. */
export function clientOf({ caller, source }: Hooked): HookClient {
  return getClient(caller, source, undefined);
}

/** Checks the client and the options of a function of this package. Throws a TypeError. */
export function toHooked(
  caller: string,
  source: ClientSource,
  options: HookOptions | undefined,
  rules: Readonly<Record<string, OptionRule>> = adapterRules,
): Hooked {
  requireClientSource(caller, source);
  requireAdapterOptions(caller, options, rules);
  return { caller, source, options: options ?? {} };
}
