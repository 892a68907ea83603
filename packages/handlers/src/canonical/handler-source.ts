import { createStream } from '@tenterhook/bus/internal';
import type {
  HookEvent as CanonicalEvent,
  Changes,
  Diagnostic,
  Dialect,
  Exit,
  HookDefinition,
  HookEventName,
  HookExecutor,
  HookSource,
  Invocation,
} from '@tenterhook/protocol';
import { DetachedCalls } from '../calling/detached-calls.js';
import type { UntypedHookEvent } from '../definition/hook-event.js';
import { eventTypeOf, type HookEventType, hookEventTypes } from '../definition/hook-event-type.js';
import type { HandlerWarning } from '../handler-warning.js';
import type { RegisteredHook } from '../registered-hook.js';
import { diagnosticsOf } from './diagnostics-of.js';
import { definitionOf } from './handler-definition.js';
import { eventOf } from './handler-event.js';
import { handlerExecutorKind, handlersDialect } from './handlers-dialect.js';
import { runHandler } from './run-handler.js';
import { SessionTally } from './session-tally.js';

/** Events that `session_end` counts. */
const counted: ReadonlySet<HookEventName> = new Set(['AfterTool', 'AfterModel', 'SessionStart', 'SessionEnd']);

/** Registered hooks as a source of definitions and their executor: what a HookEngine and the handlers of another process have in common. */
export abstract class HandlerSource implements HookSource, HookExecutor {
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

  /** In the order in which they run. The list is another one after a change, and never changed itself. */
  protected abstract registered(type: HookEventType): readonly RegisteredHook[];

  /** Whether somebody watches events that no hook is for. @default nobody */
  protected get isObserved(): boolean {
    return false;
  }

  /** An event, as somebody fired it; shares objects with it. */
  protected observed(_event: UntypedHookEvent): void {}

  /** What went wrong with a handler, also where nobody waits for it. @default nobody is told; it stands in the outcomes */
  protected warned(_warning: HandlerWarning): void {}

  /** To be called after every change of what `registered` gives. */
  protected changed(): void {
    this.#definitions = new Map();
    for (const listener of [...this.#listeners]) listener();
  }

  hooksFor(eventName: HookEventName): readonly HookDefinition[] {
    const type = eventTypeOf(eventName);
    if (type === undefined) return [];
    let definitions = this.#definitions.get(eventName);
    if (definitions === undefined) {
      definitions = this.registered(type).map((registered) => this.#define(registered));
      this.#definitions.set(eventName, definitions);
    }
    return definitions;
  }

  get diagnostics(): readonly Diagnostic[] {
    return hookEventTypes.flatMap((type) => this.registered(type)).flatMap(diagnosticsOf);
  }

  observes(eventName: HookEventName): boolean {
    return (
      (this.isObserved && eventTypeOf(eventName) !== undefined) || (counted.has(eventName) && this.registered('session_end').length > 0)
    );
  }

  observe(event: CanonicalEvent): void {
    if (counted.has(event.eventName) && this.registered('session_end').length > 0) this.#tally.add(event);
    const type = eventTypeOf(event.eventName);
    if (type !== undefined && this.isObserved) this.observed(eventOf(type, event, this.#tally.countsOf(event.input.session_id)));
  }

  /** One definition for one registration: what is remembered of a hook, such as its circuit, survives the registering of others. */
  #define(registered: RegisteredHook): HookDefinition {
    let definition = this.#definitionOf.get(registered);
    if (definition === undefined) {
      const warn = (warning: HandlerWarning) => this.warned(warning);
      definition = definitionOf({ registered, tally: this.#tally, warn, detached: this.detached });
      this.#definitionOf.set(registered, definition);
    }
    return definition;
  }

  run(
    invocation: Invocation,
    hook: HookDefinition,
    _event: CanonicalEvent,
    options: { readonly signal: AbortSignal; readonly onStart: () => void },
  ): Promise<Exit> {
    return runHandler(invocation, hook, options);
  }
}
