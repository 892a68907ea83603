import { MessageBus } from '@tenterhook/bus';
import { createLog } from '@tenterhook/bus/internal';
import {
  type AggregatedHookResult,
  type Diagnostic,
  type Dialect,
  type HookEvent,
  type HookEventName,
  type HookExecutor,
  type HookOutcome,
  type HookSource,
  isHookEventName,
} from '@tenterhook/protocol';
import type { SpawnerLimits } from '@tenterhook/spawner';
import { type FireOptions, HookEventHandler } from './event-handler.js';
import { completeInput, type InputIssue } from './event-input.js';
import type { EventRunner, RequestAnswer } from './event-runner.js';
import { type Explanation, explainEvent } from './explain.js';
import { resultOfFailure, resultOfResponse } from './failed-result.js';
import { HookService } from './hook-service.js';
import { carryOut } from './pipeline.js';
import { type ProgressMessage, reportProgress } from './progress.js';
import { HookRegistry, type TrustCheck } from './registry/hook-registry.js';
import { createCommandExecutor } from './runner/command-executor.js';

/** `stdoutBytes` 16 MiB, `stderrBytes` 1 MiB, `killGraceMs` 5000, `queued` 1024, `concurrency` max(8, 4 x cores) and at most 32. */
export type HookLimits = SpawnerLimits;

export interface HookSystemOptions {
  /** The project the hooks belong to; `*_PROJECT_DIR` of every hook. */
  readonly projectDir: string;
  /** @default each request brings its own; where none does, one made up for this system */
  readonly sessionId?: string;
  /** Working directory of the hooks unless a request's `cwd` says otherwise. @default projectDir */
  readonly cwd?: string;
  /** @default '' */
  readonly transcriptPath?: string;
  readonly dialects: readonly Dialect[];
  readonly sources?: readonly HookSource[];
  /** Beside the one for commands; one of the same kind takes its place. */
  readonly executors?: readonly HookExecutor[];
  /** A bus to fire on, which a HookService must serve. @default a private bus with a service of its own */
  readonly bus?: MessageBus;
  readonly limits?: Partial<HookLimits>;
  /** @default every source is trusted */
  readonly isTrusted?: TrustCheck;
}

const log = createLog('engine');

/**
 * Hooks, and everything needed to carry out an event with them. There is one way to fire: `fire…` is a request on the bus
 * (design §4.3), so recorders and extensions see everything; only an event without hooks is answered at once.
 */
export class HookSystem implements EventRunner {
  readonly bus: MessageBus;
  readonly #options: HookSystemOptions;
  readonly #registry: HookRegistry;
  readonly #executors: ReadonlyMap<string, HookExecutor>;
  readonly #handler: HookEventHandler;
  readonly #ownsBus: boolean;
  readonly #fallbackSessionId = `session-${globalThis.crypto.randomUUID()}`;
  readonly #inFlight = new Map<AbortController, Promise<RequestAnswer>>();
  readonly #disposing = new AbortController();
  readonly #disposeCallbacks: (() => void)[] = [];
  #disposed: Promise<void> | undefined;

  constructor(options: HookSystemOptions) {
    this.#options = options;
    this.#registry = new HookRegistry({
      sources: options.sources ?? [],
      dialects: options.dialects,
      ...(options.isTrusted === undefined ? {} : { isTrusted: options.isTrusted }),
    });
    const executors = [createCommandExecutor(options.limits), ...(options.executors ?? [])];
    this.#executors = new Map(executors.map((executor) => [executor.kind, executor]));
    this.#ownsBus = options.bus === undefined;
    this.bus = options.bus ?? new MessageBus();
    if (this.#ownsBus) new HookService({ bus: this.bus, system: this });
    this.#handler = new HookEventHandler(
      (eventName) => this.has(eventName),
      (eventName, input, fireOptions) => this.#fire(eventName, input, fireOptions),
    );
  }

  /** Whether any hook is configured for the event; a synchronous read. */
  has(eventName: string): boolean {
    return isHookEventName(eventName) && this.#registry.current.hooks[eventName].length > 0;
  }

  get diagnostics(): readonly Diagnostic[] {
    return this.#registry.current.diagnostics;
  }

  /** Every configured hook, in the order of its sources. */
  get hooks() {
    return this.#registry.current.hooks;
  }

  /** Hooks that are switched off as a whole, by event. */
  get off() {
    return this.#registry.current.off;
  }

  getEventHandler(): HookEventHandler {
    return this.#handler;
  }

  /** Why each hook of the event would or would not run for this input; nothing is run. Throws a TypeError for an unknown event. */
  explain(eventName: string, input: Readonly<Record<string, unknown>> = {}): Explanation {
    if (!isHookEventName(eventName)) throw new TypeError(`There is no event "${eventName}".`);
    const completed = this.#complete(eventName, input);
    // An input that lacks a field is explained all the same: people ask with what they have.
    const event = this.#eventOf(
      eventName,
      completed.ok ? completed.input : ({ ...input, hook_event_name: eventName } as unknown as HookEvent['input']),
    );
    return explainEvent(this.#registry.current, event);
  }

  answer(
    eventName: HookEventName,
    fields: Readonly<Record<string, unknown>>,
    { signal, progress }: { readonly signal: AbortSignal; readonly progress: (message: ProgressMessage) => void },
  ): Promise<RequestAnswer> {
    const control = new AbortController();
    const abort = () => control.abort(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    if (this.#disposing.signal.aborted) control.abort('disposed');

    const answer = this.#carryOut(eventName, fields, control.signal, progress).finally(() => {
      signal.removeEventListener('abort', abort);
      this.#inFlight.delete(control);
    });
    this.#inFlight.set(control, answer);
    return answer;
  }

  onDispose(callback: () => void): void {
    this.#disposeCallbacks.push(callback);
  }

  /** Cancels what runs and stops everything that was started; the bus is closed only if it was made here. Idempotent. */
  dispose(): Promise<void> {
    this.#disposed ??= this.#disposeOnce();
    return this.#disposed;
  }

  async #disposeOnce(): Promise<void> {
    for (const callback of this.#disposeCallbacks.splice(0)) callback();
    this.#disposing.abort('disposed');
    for (const control of this.#inFlight.keys()) control.abort('disposed');
    await Promise.allSettled(this.#inFlight.values());
    await Promise.all([...this.#executors.values()].map((executor) => executor.dispose?.()));
    this.#registry.dispose();
    if (this.#ownsBus) await this.bus.close();
  }

  async #carryOut(
    eventName: HookEventName,
    fields: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
    progress: (message: ProgressMessage) => void,
  ): Promise<RequestAnswer> {
    const began = performance.now();
    const elapsedMs = () => Math.round((performance.now() - began) * 1000) / 1000;
    const completed = this.#complete(eventName, fields);
    if (!completed.ok) return invalidInput(eventName, completed.issues);
    const set = this.#registry.current;
    const context = {
      dialects: set.dialects,
      executors: this.#executors,
      environment: environment(),
      signal,
      disposeSignal: this.#disposing.signal,
      report: reportProgress(eventName, elapsedMs, progress),
    };
    const result = await carryOut(set, this.#eventOf(eventName, completed.input), context, elapsedMs);
    logResult(eventName, result);
    return this.#answerOf(result, signal);
  }

  async #fire(eventName: string, input: Readonly<Record<string, unknown>>, options: FireOptions = {}): Promise<AggregatedHookResult> {
    const response = await this.bus.request('HOOK_EXECUTION_REQUEST', { eventName, input: input as Record<string, unknown> }, options);
    if (response.success) return resultOfResponse({ eventName: eventName as HookEventName }, response);
    const error = response.error ?? { code: 'internal_error' as const, message: 'The response carried neither a result nor an error.' };
    const completed = isHookEventName(eventName) ? this.#complete(eventName, input) : undefined;
    if (!completed?.ok) return resultOfFailure(error, undefined, undefined);
    const event = this.#eventOf(eventName as HookEventName, completed.input);
    const set = this.#registry.current;
    return resultOfFailure(error, event, set.plans.plan(set.hooks[event.eventName], event));
  }

  #complete(eventName: HookEventName, fields: Readonly<Record<string, unknown>>) {
    const { sessionId, transcriptPath = '', projectDir, cwd = projectDir } = this.#options;
    return completeInput(eventName, fields, { sessionId, fallbackSessionId: this.#fallbackSessionId, transcriptPath, cwd }, new Date());
  }

  #eventOf(eventName: HookEventName, input: HookEvent['input']): HookEvent {
    return { eventName, input, projectDir: this.#options.projectDir };
  }

  #answerOf(result: AggregatedHookResult, signal: AbortSignal): RequestAnswer {
    const interrupted = signal.aborted && result.outcomes.some((outcome) => outcome.status === 'cancelled');
    if (!interrupted) return { success: true, output: result };
    const code = this.#disposing.signal.aborted ? 'disposed' : 'cancelled';
    const message = code === 'disposed' ? 'The hook system was shut down.' : `The request was cancelled${reasonOf(signal)}.`;
    return { success: false, error: { code, message, details: { outcomes: result.outcomes as HookOutcome[] } } };
  }
}

/** ` (timeout)`; nothing where the reason says no more than the sentence it stands in. */
function reasonOf({ reason }: AbortSignal): string {
  return typeof reason === 'string' && reason !== 'cancelled' ? ` (${reason})` : '';
}

function invalidInput(eventName: string, issues: readonly InputIssue[]): RequestAnswer {
  const message = `The input of ${eventName} is not valid: ${issues.map((issue) => `${issue.path}: ${issue.message}`).join('; ')}`;
  return { success: false, error: { code: 'validation_failed', message, details: { issues } } };
}

function environment(): Record<string, string> {
  return Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function logResult(eventName: string, result: AggregatedHookResult): void {
  if (!log.enabled) return;
  log('%s: %s%s in %d ms', eventName, result.verdict.kind, result.verdict.stop ? ' and stop' : '', result.totalDuration);
  for (const outcome of result.outcomes) {
    log('  %s %s %s', outcome.hookId, outcome.status, outcome.skipReason ?? '');
    for (const warning of outcome.warnings) log('    %s: %j', warning.code, warning.message);
  }
}
