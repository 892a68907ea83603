import type { HookTracing } from '@tenterhook/protocol';
import { longestTimerMs } from '@tenterhook/runtime/async';
import { isPlainObject } from '@tenterhook/runtime/json';
import { describeValue } from '@tenterhook/runtime/text';
import type { Wake } from '../late/late-answers.js';
import { type HedgeOptions, requireHedge } from './hedge.js';
import { isBus, type LocalSystem } from './hooks-on-bus.js';

/** Fields that every event of a client carries, or a function that returns them at each event. */
export type ClientFields = Readonly<Record<string, unknown>> | (() => Readonly<Record<string, unknown>>);

/** How a client fires events. */
export interface HookClientOptions {
  /**
   * What happens if no hook service accepts the event, because the bus has no responder or the responder does not know the event. `allow`
   * continues the operation, with a warning in `userMessages`. `deny` blocks it. `local` runs the hooks of this machine alone, which must
   * be passed as `local`: the result has `localOnly`, and a warning is in `userMessages`. If a service accepted the event and did not
   * finish it, the operation is always blocked.
   * @default 'allow'
   */
  readonly onUnavailable?: 'allow' | 'deny' | 'local' | undefined;
  /**
   * The hooks of this machine, for `onUnavailable: 'local'`: the result of `createHooks()` without the option `bus`. They must have a bus
   * of their own. You must dispose of them. @default none
   */
  readonly local?: LocalSystem | undefined;
  /**
   * Asks a second worker if the first one is slow. Only for a client of a bus alone. @default each event is sent once
   */
  readonly hedge?: HedgeOptions | undefined;
  /**
   * Timeout of one event in milliseconds, 1 to 2147483647. An event waits if a limit is reached, e.g. too many hooks run already. The
   * timeout includes this wait. Set the timeout if the hook service is in another process.
   * @default none: the hooks have their own timeouts, and the wait ends after 60 seconds
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Fields that every event of this client carries, e.g. the mode of the agent (`agent: 'plan'`). The fields of the event itself take
   * precedence. A function is called at each event. If it throws or does not return an object, the event is not fired (`invalid_request`).
   * @default none
   */
  readonly fields?: ClientFields | undefined;
  /**
   * Called when an async hook wants the agent to continue (`asyncRewake` and exit code 2 in Claude Code's settings). It is called even if
   * the agent waits for its user, so it should begin a turn with `wake.context` as the prompt. Errors of the function are logged.
   * @default the text is delivered with the next operation, like other answers of async hooks
   */
  readonly onWake?: ((wake: Wake) => unknown) | undefined;
  /**
   * Puts the trace of the running code into each request, and records tool calls if it is asked to. `otel()` of `@tenterhook/otel` is one.
   * @default the tracing of the hooks, if they are in this process
   */
  readonly tracing?: HookTracing | undefined;
}

/** The names of all options. */
export const clientOptionNames = Object.keys({
  onUnavailable: true,
  local: true,
  hedge: true,
  timeoutMs: true,
  fields: true,
  onWake: true,
  tracing: true,
} satisfies Record<keyof HookClientOptions, true>);

/** Throws a TypeError that names an invalid option and the function. */
export function requireClientOptions(what: string, options: HookClientOptions): void {
  const { onUnavailable = 'allow', local, hedge, timeoutMs, fields, onWake, tracing } = options;
  if (tracing !== undefined && typeof tracing?.begin !== 'function') {
    throw new TypeError(`${what}: tracing must be an object with begin(), such as otel(), and is ${describeValue(tracing)}.`);
  }
  if (onWake !== undefined && typeof onWake !== 'function') {
    throw new TypeError(`${what}: onWake must be a function, and is ${describeValue(onWake)}.`);
  }
  if (!['allow', 'deny', 'local'].includes(onUnavailable)) {
    throw new TypeError(`${what}: onUnavailable must be "allow", "deny" or "local", and is ${JSON.stringify(onUnavailable)}.`);
  }
  // One of the two alone would have no effect, or no hooks to run.
  if ((onUnavailable === 'local') !== (local !== undefined)) {
    throw new TypeError(
      `${what}: onUnavailable: "local" and the option local belong together. Pass { onUnavailable: "local", local: await createHooks() }.`,
    );
  }
  if (local !== undefined && !(typeof local?.getEventHandler === 'function' && isBus(local.bus))) {
    throw new TypeError(`${what}: local must be the result of createHooks(), and is ${describeValue(local)}.`);
  }
  if (hedge !== undefined) requireHedge(what, hedge);
  // The bus would refuse an invalid timeout too, but only at each event. The agent would then report that hooks could not be asked.
  if (timeoutMs !== undefined && !(typeof timeoutMs === 'number' && timeoutMs >= 1 && timeoutMs <= longestTimerMs)) {
    throw new TypeError(`${what}: timeoutMs must be a number from 1 to ${longestTimerMs}, and is ${String(timeoutMs)}.`);
  }
  if (fields !== undefined && typeof fields !== 'function' && !isPlainObject(fields)) {
    throw new TypeError(`${what}: fields must be an object, or a function that returns one, and is ${JSON.stringify(fields)}.`);
  }
}
