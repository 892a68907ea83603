import type { MessageBus } from '@tenterhook/bus';
import { type AggregatedHookResult, type FireOptions, type HookEventName, isHookEventName } from '@tenterhook/protocol';
import { type ContainedTracing, createFailedResult } from '@tenterhook/protocol/internal';
import { longestTimerMs } from '@tenterhook/runtime/async';
import { isPlainObject } from '@tenterhook/runtime/json';
import { describeValue } from '@tenterhook/runtime/text';
import { AnswerTimes } from './answer-times.js';
import { findRequestFailure } from './failure-text.js';
import { type Attempt, startAttempt } from './fire-on-bus.js';
import type { FollowedSystem } from './followed-system.js';
import type { Fields } from './hooks-on-bus.js';

/** When a second worker is asked. */
export interface HedgeOptions {
  /**
   * The events that may be sent to two workers. The hooks of these events may run twice, and the second run may be cancelled in the middle.
   * So list only events whose hooks have no side effects, such as guards that only decide.
   */
  readonly events: readonly HookEventName[];
  /**
   * Milliseconds after which the second worker is asked, from 1 to 2147483647.
   * @default the 95th percentile of the last 100 answers to the event, as soon as there are 20
   */
  readonly afterMs?: number | undefined;
}

/** Throws a TypeError for an invalid option. */
export function requireHedge(what: string, hedge: unknown): void {
  if (!isPlainObject(hedge)) throw new TypeError(`${what}: hedge must be { events, afterMs }, and is ${describeValue(hedge)}.`);
  const { events, afterMs, ...unknown } = hedge;
  const [misspelt] = Object.keys(unknown);
  if (misspelt !== undefined) throw new TypeError(`${what}: hedge has no option "${misspelt}"; its options are events and afterMs.`);
  const isListed = (name: unknown) => typeof name === 'string' && isHookEventName(name);
  if (!Array.isArray(events) || events.length === 0 || !events.every(isListed)) {
    const wanted = 'the names of the events whose hooks have no side effects, such as ["BeforeTool"]';
    throw new TypeError(`${what}: hedge.events must be ${wanted}, and is ${JSON.stringify(events)}.`);
  }
  if (afterMs !== undefined && !(typeof afterMs === 'number' && afterMs >= 1 && afterMs <= longestTimerMs)) {
    throw new TypeError(`${what}: hedge.afterMs must be a number from 1 to ${longestTimerMs}, and is ${describeValue(afterMs)}.`);
  }
}

/** Sends slow events of one client to a second worker. The first answer counts, and the other attempt is cancelled. */
export class Hedge {
  readonly #bus: MessageBus;
  readonly #followed: FollowedSystem;
  readonly #afterMs: number | undefined;
  readonly #tracing: ContainedTracing | undefined;
  readonly #times: ReadonlyMap<HookEventName, AnswerTimes>;

  constructor(bus: MessageBus, followed: FollowedSystem, { events, afterMs }: HedgeOptions, tracing: ContainedTracing | undefined) {
    this.#bus = bus;
    this.#followed = followed;
    this.#afterMs = afterMs;
    this.#tracing = tracing;
    this.#times = new Map(events.map((eventName) => [eventName, new AnswerTimes()]));
  }

  has(eventName: HookEventName): boolean {
    return this.#times.has(eventName);
  }

  /** Fires an event of the list. Resolves like a request. */
  async fire(eventName: HookEventName, fields: Fields, options: FireOptions): Promise<AggregatedHookResult> {
    const times = this.#times.get(eventName) as AnswerTimes;
    const began = performance.now();
    const start = (limits: FireOptions): Attempt => {
      let attempt: Attempt | undefined;
      const result = this.#followed.fire(eventName, fields, limits, (sent) => {
        attempt = startAttempt(this.#bus, eventName, fields, sent, this.#tracing);
        return attempt.result;
      });
      return { ...(attempt as unknown as Attempt), result };
    };
    const startSecond = () => {
      const { correlationId: _first, timeoutMs, ...rest } = options;
      const leftMs = timeoutMs === undefined ? {} : { timeoutMs: Math.max(1, timeoutMs - (performance.now() - began)) };
      return start({ ...rest, ...leftMs });
    };
    const { result, isHedged } = await race(
      start(options),
      times.mayHedge ? (this.#afterMs ?? times.percentile95) : undefined,
      startSecond,
    );
    if (findRequestFailure(result) === undefined) times.add(performance.now() - began, isHedged);
    return result;
  }
}

/** An attempt that has ended. */
interface Ended {
  readonly attempt: Attempt;
  readonly answer: AggregatedHookResult;
}

/** Resolves to the answer that counts. Without `afterMs`, there is no second attempt. */
function race(
  first: Attempt,
  afterMs: number | undefined,
  startSecond: () => Attempt,
): Promise<{ readonly result: AggregatedHookResult; readonly isHedged: boolean }> {
  return new Promise((resolve) => {
    const open = new Set<Attempt>();
    const ended: Ended[] = [];
    let isHedged = false;
    const settle = ({ attempt: counting, answer: result }: Ended) => {
      clearTimeout(timer);
      for (const attempt of open) attempt.cancel();
      open.clear();
      counting.recordRefusal();
      resolve({ result, isHedged });
    };
    const add = (attempt: Attempt) => {
      open.add(attempt);
      void attempt.result.then((answer) => {
        if (!open.delete(attempt)) return;
        ended.push({ attempt, answer: withReportedDeny(answer, attempt.deniedBy()) });
        const settled = choose(ended, [...open]);
        if (settled !== undefined) settle(settled);
      });
    };
    const timer =
      afterMs === undefined
        ? undefined
        : setTimeout(() => {
            isHedged = true;
            add(startSecond());
          }, afterMs);
    add(first);
  });
}

/**
 * Returns the attempt whose answer counts, or undefined if it is still open. A deny counts at once. Any other answer waits for an attempt in
 * which a hook has already denied, and a failure waits for every other attempt.
 */
function choose(ended: readonly Ended[], open: readonly Attempt[]): Ended | undefined {
  const deny = ended.find(({ answer }) => answer.verdict.kind === 'deny');
  if (deny !== undefined) return deny;
  const answered = ended.find(({ answer }) => findRequestFailure(answer) === undefined);
  const isOpen = answered === undefined ? open.length > 0 : open.some((attempt) => attempt.deniedBy() !== undefined);
  return isOpen ? undefined : (answered ?? ended[0]);
}

/** If a hook of the attempt denied, and the attempt then failed without a verdict, the deny still counts. */
function withReportedDeny(answer: AggregatedHookResult, hookId: string | undefined): AggregatedHookResult {
  const failure = findRequestFailure(answer);
  if (hookId === undefined || failure === undefined || answer.verdict.kind === 'deny') return answer;
  const reason = `The hook ${hookId} denied, and its worker then gave no answer (${failure.code}): ${failure.message}`;
  const verdict = { kind: 'deny' as const, stop: false, reason, by: [hookId], stoppedBy: [] };
  return createFailedResult(failure as Parameters<typeof createFailedResult>[0], answer.totalDuration, {
    verdict,
    outcomes: answer.outcomes,
  });
}
