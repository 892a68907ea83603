import type { HookTracing } from '@tenterhook/protocol';
import { ContainedTracing } from '@tenterhook/protocol/internal';
import type { Hook } from '../definition/hook.js';
import { requireKnownOptions, requireThat } from '../engine/require-argument.js';
import { maxName } from './announcement.js';

/** A validated announcement of an engine. */
export interface AnnouncedEngine {
  readonly engineId: string;
  readonly name?: string;
  /** The version that the engine states, if it states one. */
  readonly version?: string;
  readonly hooks: readonly Hook[];
}

/** The options of `remoteHandlers`. */
export interface RemoteHandlersOptions {
  /**
   * Decides whether the hooks of an engine are used. Called for each announcement that differs from the last one. Only `true`
   * accepts the engine. A throw or any other value, e.g. a promise, refuses it. There is no default: if every engine were accepted,
   * every process on the bus could block and rewrite what the agent does.
   */
  readonly accept: (engine: AnnouncedEngine) => boolean;
  /**
   * The names of engines without which the agent is closed. If such an engine has not connected, has left, does not answer in time or gives
   * an invalid answer, BeforeTool and BeforeModel are denied, and the reason names the engine. Its other events fail closed too: a result
   * that it could not check is withheld. Async hooks of the engine are not affected.
   * @default none: a failure of an engine is shown, and `onError` of each hook decides
   */
  readonly required?: readonly string[] | undefined;
  /** Puts the trace of the running hook into each call, so that what the handler does belongs to it. @default calls have no trace */
  readonly tracing?: HookTracing | undefined;
}

export function readAccept(options: RemoteHandlersOptions | undefined): RemoteHandlersOptions['accept'] {
  const accept = options?.accept;
  if (typeof accept !== 'function') {
    throw new TypeError(
      'remoteHandlers needs { accept }, a function that decides which engines are accepted. Pass { accept: () => true } to accept all engines on the bus.',
    );
  }
  requireKnownOptions('remoteHandlers', options as object, ['accept', 'required', 'tracing']);
  return accept;
}

export function readRequired({ required = [] }: RemoteHandlersOptions): readonly string[] {
  const isValid = Array.isArray(required) && required.every((name) => typeof name === 'string' && name !== '' && name.length <= maxName);
  requireThat(isValid, `remoteHandlers: required must be an array of names of engines, each of 1 to ${maxName} characters`, required);
  return required;
}

/** Reads the option `tracing` of `remoteHandlers` and of `HookEngine`. Throws a TypeError if it is something else. */
export function readTracing(caller: string, tracing: HookTracing | undefined): ContainedTracing | undefined {
  if (tracing === undefined) return undefined;
  requireThat(typeof tracing?.begin === 'function', `${caller}: tracing must be an object with begin(), such as otel()`, tracing);
  return new ContainedTracing(tracing);
}
