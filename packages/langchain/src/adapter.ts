import type { HookClient } from '@tenterhook/agent';
import {
  type AdapterOptions,
  abortError,
  adapterRules,
  type ClientSource,
  getClient,
  requireAdapterOptions,
  requireClientSource,
} from '@tenterhook/agent/internal';
import type { Runtime } from './langchain-library.js';

/** Options of `hooksMiddleware`. */
export interface HooksMiddlewareOptions extends AdapterOptions {
  /**
   * `framework`: when a hook asks about a tool, the run is suspended with `interrupt()`, in the form of `humanInTheLoopMiddleware`. The
   * agent needs a checkpointer. It takes precedence over `ask` for tools.
   * @default `ask` decides
   */
  readonly approvals?: 'framework' | undefined;
  /**
   * What becomes of an error of a tool. `message`: the model reads it, as in an agent without a middleware for tools. `throw`: it is thrown
   * on as the same object, for a middleware before this one that handles it, e.g. `toolRetryMiddleware`. Without such a middleware, the
   * error then ends the run.
   * @default 'message'
   */
  readonly toolErrors?: 'message' | 'throw' | undefined;
}

const rules = {
  ...adapterRules,
  toolErrors: { expected: '"message" or "throw"', isValid: (value: unknown) => value === 'message' || value === 'throw' },
};

/** What the parts of one middleware share. */
export class Adapter {
  readonly options: HooksMiddlewareOptions;
  readonly #source: ClientSource<Runtime>;
  /** The tools of the provider that have been named. */
  readonly named = new Set<string>();
  /** The lists of tools that have been searched for tools of the provider. An agent has the same list in each call. */
  readonly searched = new WeakSet<object>();

  constructor(source: ClientSource<Runtime>, options: HooksMiddlewareOptions) {
    requireClientSource('hooksMiddleware', source);
    requireAdapterOptions('hooksMiddleware', options, rules);
    this.#source = source;
    this.options = options;
  }

  clientOf(runtime: Runtime): HookClient {
    return getClient('hooksMiddleware', this.#source, runtime);
  }
}

/** Throws the reason of an abort, which LangGraph reports as its own error of the run. */
export function throwAbort({ signal }: Runtime): never {
  throw abortError(signal);
}
