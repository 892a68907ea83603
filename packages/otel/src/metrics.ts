import type { Attributes, Counter, Histogram, Meter, ObservableUpDownCounter } from '@opentelemetry/api';
import { type AggregatedHookResult, type HookDefinition, type HookOutcome, isHookEventName, verdictOf } from '@tenterhook/protocol';
import { attributes, durationBuckets, instruments } from './attributes.js';
import { errorTypeOf } from './failures.js';
import { shownHook } from './shown-name.js';

interface Instruments {
  readonly eventDuration: Histogram;
  readonly hookDuration: Histogram;
  readonly toolDuration: Histogram;
  readonly decisions: Counter;
  readonly skips: Counter;
  readonly rewrites: Counter;
  readonly circuitChanges: Counter;
  /** How many hooks of each kind run and wait. They are read when metrics are exported, which costs a hook nothing. */
  readonly running: Map<string, number>;
  readonly queued: Map<string, number>;
  readonly hookNames: KnownNames;
  readonly toolNames: KnownNames;
}

/** The instruments of a meter. Several hook systems of a process share them, because a gauge has one value for all of them. */
const known = new WeakMap<Meter, Instruments>();

/** Writes the metrics. */
export class HookMetrics {
  readonly #hasHookNames: boolean;

  constructor({ hookNames }: { readonly hookNames: boolean }) {
    this.#hasHookNames = hookNames;
  }

  /** A hook was put into the queue of its executor. */
  queued(meter: Meter, hook: HookDefinition): void {
    add(instrumentsOf(meter).queued, hook, 1);
  }

  /** A hook left the queue. `isStarted`: it runs now. */
  left(meter: Meter, hook: HookDefinition, isStarted: boolean): void {
    const { queued, running } = instrumentsOf(meter);
    add(queued, hook, -1);
    if (isStarted) add(running, hook, 1);
  }

  /** A hook that was started has ended. */
  ended(meter: Meter, hook: HookDefinition, outcome: HookOutcome): void {
    const { running, hookDuration, decisions, hookNames } = instrumentsOf(meter);
    add(running, hook, -1);
    const name = this.#nameOf(hook, hookNames);
    const errorType = errorTypeOf(outcome);
    const fields: Attributes = {
      [attributes.eventName.name]: hook.eventName,
      [attributes.hookDialect.name]: hook.dialect,
      [attributes.hookKind.name]: hook.action.kind,
      [attributes.hookStatus.name]: outcome.status,
    };
    if (name !== undefined) fields[attributes.hookName.name] = name;
    if (errorType !== undefined) fields[attributes.errorType.name] = errorType;
    hookDuration.record(outcome.durationMs / 1000, fields);
    const decision = decisionOf(outcome);
    if (decision === undefined) return;
    const decided: Attributes = { [attributes.eventName.name]: hook.eventName, [attributes.hookDecision.name]: decision };
    if (name !== undefined) decided[attributes.hookName.name] = name;
    decisions.add(1, decided);
  }

  event(meter: Meter, eventName: string, seconds: number, { result, errorType }: EndedEvent): void {
    const { eventDuration, skips, rewrites } = instrumentsOf(meter);
    // A request may have any name.
    const name = isHookEventName(eventName) ? eventName : otherName;
    const fields: Attributes = { [attributes.eventName.name]: name, [attributes.verdict.name]: result?.verdict.kind ?? 'none' };
    if (errorType !== undefined) fields[attributes.errorType.name] = errorType;
    eventDuration.record(seconds, fields);
    if (result === undefined) return;
    const event: Attributes = { [attributes.eventName.name]: name };
    // One addition for each reason: a thousand hooks that do not match would otherwise be a thousand additions.
    for (const [reason, count] of countSkips(result.outcomes)) skips.add(count, { ...event, [attributes.skipReason.name]: reason });
    if (result.changes.length > 0) rewrites.add(result.changes.length, event);
  }

  circuitChanged(meter: Meter, state: string): void {
    instrumentsOf(meter).circuitChanges.add(1, { [attributes.circuitState.name]: state });
  }

  tool(meter: Meter, name: string, seconds: number, errorType: string | undefined): void {
    const { toolDuration, toolNames } = instrumentsOf(meter);
    toolDuration.record(seconds, {
      [attributes.toolName.name]: toolNames.bounded(name),
      ...(errorType === undefined ? {} : { [attributes.errorType.name]: errorType }),
    });
  }

  #nameOf(hook: HookDefinition, names: KnownNames): string | undefined {
    const { name } = shownHook(hook);
    return name === undefined || !this.#hasHookNames ? undefined : names.bounded(name);
  }
}

/** What the metrics of an event show. */
export interface EndedEvent {
  readonly result: Pick<AggregatedHookResult, 'verdict' | 'outcomes' | 'changes'> | undefined;
  readonly errorType: string | undefined;
}

/** Returns the decision of a hook, or undefined if it decided nothing. A failure that denies is a deny. */
export function decisionOf({ status, failedClosed, output }: HookOutcome): string | undefined {
  if (status === 'blocked' || failedClosed === true) return 'deny';
  const kind = verdictOf(output?.decision);
  return kind === 'none' ? undefined : kind;
}

function countSkips(outcomes: readonly HookOutcome[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { status, skipReason } of outcomes) {
    if (status === 'skipped') counts.set(skipReason ?? 'unknown', (counts.get(skipReason ?? 'unknown') ?? 0) + 1);
  }
  return counts;
}

function add(counts: Map<string, number>, { action }: HookDefinition, change: number): void {
  counts.set(action.kind, (counts.get(action.kind) ?? 0) + change);
}

function instrumentsOf(meter: Meter): Instruments {
  let made = known.get(meter);
  if (made === undefined) {
    made = createInstruments(meter);
    known.set(meter, made);
  }
  return made;
}

function createInstruments(meter: Meter): Instruments {
  const histogram = ({ name, unit, description }: { readonly name: string; readonly unit: string; readonly description: string }) =>
    meter.createHistogram(name, { unit, description, advice: { explicitBucketBoundaries: [...durationBuckets] } });
  const counter = ({ name, ...options }: { readonly name: string; readonly unit: string }) => meter.createCounter(name, options);
  const observed = ({ name, ...options }: { readonly name: string; readonly unit: string }) => {
    const counts = new Map<string, number>();
    const counter: ObservableUpDownCounter = meter.createObservableUpDownCounter(name, options);
    counter.addCallback((result) => {
      for (const [kind, count] of counts) result.observe(count, { [attributes.hookKind.name]: kind });
    });
    return counts;
  };
  return {
    eventDuration: histogram(instruments.eventDuration),
    hookDuration: histogram(instruments.hookDuration),
    toolDuration: histogram(instruments.toolDuration),
    decisions: counter(instruments.decisions),
    skips: counter(instruments.skips),
    rewrites: counter(instruments.rewrites),
    circuitChanges: counter(instruments.circuitChanges),
    running: observed(instruments.running),
    queued: observed(instruments.queued),
    hookNames: new KnownNames(),
    toolNames: new KnownNames(),
  };
}

/** The value of all names beyond the limit. */
const otherName = '_other';

/**
 * Keeps the first distinct names of a process, so that metrics have a limited number of time series. Names of hooks and tools come from
 * settings, servers and models, and can be any number.
 */
class KnownNames {
  readonly #limit: number;
  readonly #names = new Set<string>();

  constructor(limit = 200) {
    this.#limit = limit;
  }

  /** Returns the name, or `_other` if the limit is reached and the name is new. */
  bounded(name: string): string {
    if (this.#names.has(name)) return name;
    if (this.#names.size >= this.#limit) return otherName;
    this.#names.add(name);
    return name;
  }
}
