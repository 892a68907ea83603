import { createStream } from '@tenterhook/bus/internal';
import type {
  Changes,
  Diagnostic,
  Dialect,
  Exit,
  HookDefinition,
  HookEvent,
  HookEventName,
  HookExecutor,
  HookSource,
  Invocation,
} from '@tenterhook/protocol';
import { markKeepsPromises, type OwnRunOptions } from '@tenterhook/protocol/internal';
import { type Abortable, type DeadlineTimer, wait } from '@tenterhook/runtime/async';
import { callWithDeadline } from '../calling/call-with-deadline.js';
import { callHandler, type HandlerContext, type HandlerWarning, type RegisteredHook } from '../calling/handler.js';
import { afterFirstCall, toWarnings } from '../calling/run-attempts.js';
import { DetachedCalls, describeTooManyDetached } from '../calling/run-detached.js';
import type { UntypedHandlerEvent } from '../definition/hook-event.js';
import { type HookEventType, hookEventTypes, toEventType } from '../definition/hook-event-type.js';
import { findDiagnostics, toDefinition } from './handler-definition.js';
import { toHandlerEvent } from './handler-event.js';
import { getHandlerData, handlerExecutorKind, handlersDialect } from './handlers-dialect.js';
import { SessionTally } from './session-tally.js';

/** The events that `session_end` counts. */
const counted: ReadonlySet<HookEventName> = new Set(['AfterTool', 'AfterModel', 'SessionStart', 'SessionEnd']);

/** Supplies registered hooks as definitions, and runs them. Base class of HookEngine and of the handlers in another process. */
export abstract class HandlerSource implements HookSource, HookExecutor {
  static {
    markKeepsPromises(HandlerSource.prototype.run);
  }

  readonly kind = handlerExecutorKind;
  readonly dialect: Dialect = handlersDialect;
  readonly changes$: Changes;
  readonly #listeners = new Set<() => void>();
  protected readonly detached = new DetachedCalls();
  readonly #tally = new SessionTally();
  readonly #definitionOf = new WeakMap<RegisteredHook, HookDefinition>();
  #definitions = new Map<HookEventName, readonly HookDefinition[]>();

  constructor() {
    this.changes$ = createStream<void>((sink) => {
      const listener = () => sink.next();
      this.#listeners.add(listener);
      return () => this.#listeners.delete(listener);
    });
  }

  /** Returns the hooks of a type, in the order in which they run. A change of the hooks must create a new list. */
  protected abstract registered(type: HookEventType): readonly RegisteredHook[];

  /** Whether there are observers. Observers receive every event, also events without a hook. @default false */
  protected get isObserved(): boolean {
    return false;
  }

  /** Receives an event as it was fired. The object shares parts with the event. */
  protected observed(_event: UntypedHandlerEvent): void {}

  /** Receives the warnings of handlers. @default ignored, because the outcomes contain them */
  protected warned(_warning: HandlerWarning): void {}

  /** Subclasses must call this method after every change of the list that `registered` returns. */
  protected changed(): void {
    this.#definitions = new Map();
    for (const listener of [...this.#listeners]) listener();
  }

  hooksFor(eventName: HookEventName): readonly HookDefinition[] {
    const type = toEventType(eventName);
    if (type === undefined) return [];
    let definitions = this.#definitions.get(eventName);
    if (definitions === undefined) {
      definitions = this.registered(type).map((registered) => this.#define(registered));
      this.#definitions.set(eventName, definitions);
    }
    return definitions;
  }

  get diagnostics(): readonly Diagnostic[] {
    return hookEventTypes.flatMap((type) => this.registered(type)).flatMap(findDiagnostics);
  }

  observes(eventName: HookEventName): boolean {
    return (
      (this.isObserved && toEventType(eventName) !== undefined) || (counted.has(eventName) && this.registered('session_end').length > 0)
    );
  }

  observe(event: HookEvent): void {
    if (counted.has(event.eventName) && this.registered('session_end').length > 0) this.#tally.add(event);
    const type = toEventType(event.eventName);
    if (type !== undefined && this.isObserved) this.observed(toHandlerEvent(type, event, this.#tally.countsOf(event.input.session_id)));
  }

  /**
   * Returns the same definition for the same registration. A hook then keeps its state, such as its circuit breaker, when other
   * hooks are registered.
   */
  #define(registered: RegisteredHook): HookDefinition {
    let definition = this.#definitionOf.get(registered);
    if (definition === undefined) {
      const warn = (warning: HandlerWarning) => this.warned(warning);
      definition = toDefinition({ registered, tally: this.#tally, warn, detached: this.detached });
      this.#definitionOf.set(registered, definition);
      markKeepsPromises(definition);
    }
    return definition;
  }

  run(invocation: Invocation, hook: HookDefinition, _event: HookEvent, options: GivenOptions): Promise<Exit> {
    // Tenterhook passes something that can be followed without a signal. Another host passes a signal.
    const { onStart, abortable = options.signal, timer } = options as GivenOptions & Partial<OwnRunOptions>;
    return hook.async === true ? runLater(invocation, hook, abortable, onStart) : runHandler(invocation, hook, abortable, onStart, timer);
  }
}

type GivenOptions = Pick<OwnRunOptions, 'signal' | 'onStart'>;

/** Waits for a later turn of the event loop, so that the synchronous part of the handler does not delay the event. */
async function runLater(invocation: Invocation, hook: HookDefinition, abortable: Abortable, onStart: () => void): Promise<Exit> {
  const { detached, registered } = getHandlerData(hook);
  if (!detached.begin()) return { kind: 'not-started', message: describeTooManyDetached(registered.hook.id), durationMs: 0 };
  try {
    await wait(0, abortable);
    return await runHandler(invocation, hook, abortable, onStart);
  } finally {
    detached.end();
  }
}

/** Runs the handler in the definition. It is not looked up again, because an event keeps the handlers that it started with. */
async function runHandler(
  invocation: Invocation,
  hook: HookDefinition,
  abortable: Abortable,
  onStart: () => void,
  timer?: DeadlineTimer,
): Promise<Exit> {
  const { registered, warn } = getHandlerData(hook);
  const { handler } = registered;
  if (invocation.kind !== 'call' || handler === undefined) throw new TypeError(`a handler was asked to run "${invocation.kind}"`);
  const event = invocation.argument as UntypedHandlerEvent;
  const began = performance.now();
  onStart();
  const call = (context: HandlerContext) => callHandler(handler, event, context);
  const first = await callWithDeadline(call, registered.hook.config.timeout_ms, abortable, timer);
  // Awaited only if it is a promise, because each wait takes time.
  const running = afterFirstCall(first, registered, call, abortable);
  const end = running instanceof Promise ? await running : running;
  const durationMs = performance.now() - began;
  if (end.kind === 'failed' || end.warnings.length > 0) {
    for (const warning of toWarnings(registered.hook.id, end, hook.async === true)) warn(warning);
  }
  return end.kind === 'cancelled' ? { kind: 'cancelled', durationMs } : { kind: 'answered', answer: end, durationMs };
}
