import type { MessageBus } from '@tenterhook/bus';
import type { HookOutcome } from 'tenterhook';
import { kindNameOf, type Round } from '../load/settings-round.js';
import { Counters } from '../report/counters.js';
import { checkResponse } from './check-response.js';
import type { Intent, ProgressPayload, ResponsePayload, SentRequest } from './sent-request.js';
import type { Violations } from './violations.js';

interface OpenRequest {
  readonly request: SentRequest;
  readonly progress: ProgressWatch;
  readonly answered: Promise<void>;
  readonly settle: () => void;
  /** The hooks whose start was reported after the cancel. */
  readonly lateStarts: Set<string>;
  /** When it was cancelled on the bus. */
  cutAt: number | undefined;
}

/** The maximum number of answered requests whose ids are remembered, to distinguish a second answer from an answer without a request. */
const remembered = 10_000;

/**
 * The time after a deadline or a cancel at which an answer is late, in milliseconds. The promise is 100; the rest is for machines on which
 * the event loop of this process is blocked. The figures report the real delay.
 */
const lateMs = 2500;

/** Records every request on the bus with its response, and the violations found in them. */
export class RequestLog {
  readonly ends = new Counters();
  readonly statuses = new Counters();
  readonly kinds = new Map<string, Counters>();
  readonly violations: Violations;
  requests = 0;
  responses = 0;
  circuitChanges = 0;
  /** The longest time between the timeout of a hook and its outcome, in milliseconds. */
  latestTimeoutMs = 0;
  /** The longest time between a cancel and the response, in milliseconds. */
  latestCancelMs = 0;
  /** True while the system is being disposed, which may end requests that are being handled. */
  isEnding = false;
  readonly #open = new Map<string, OpenRequest>();
  readonly #answered = new Set<string>();
  readonly #rounds: () => readonly Round[];
  #refusalsDue = 0;
  #sending: { readonly intent: Intent; readonly ids: string[] } | undefined;

  constructor(bus: MessageBus, rounds: () => readonly Round[], violations: Violations) {
    this.violations = violations;
    this.#rounds = rounds;
    bus.subscribe('HOOK_EXECUTION_REQUEST', ({ payload }) => this.#guard(() => this.#asked(payload)));
    bus.subscribe('HOOK_EXECUTION_CANCEL', ({ payload }) => this.#guard(() => this.#cancelled(payload.correlationId)));
    bus.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload }) => this.#guard(() => this.#progressed(payload)));
    bus.subscribe('HOOK_EXECUTION_RESPONSE', ({ payload }) => this.#guard(() => this.#answer(payload)));
  }

  get inFlight(): number {
    return this.#open.size;
  }

  /** Calls a function that sends requests, and returns the ids of these requests. They are checked against the intent from then on. */
  send<Result>(intent: Intent, call: () => Result): { readonly result: Result; readonly ids: readonly string[] } {
    const ids: string[] = [];
    if (intent.isRefused) this.#refusalsDue += 1;
    this.#sending = { intent, ids };
    try {
      return { result: call(), ids };
    } finally {
      this.#sending = undefined;
    }
  }

  /** Resolves when all of these requests were answered. */
  async whenAnswered(ids: readonly string[]): Promise<void> {
    await Promise.all(ids.map((id) => this.#open.get(id)?.answered));
  }

  /** Reports missing answers when no more can come. */
  close(): void {
    for (const { request } of this.#open.values()) this.#violate(request, 'it was never answered');
    if (this.#refusalsDue !== 0) {
      this.violations.add({ what: `of the malformed requests ${this.#refusalsDue} were answered too seldom (negative: too often)` });
    }
  }

  report(intent: Intent, what: string, hook?: string): void {
    this.#violate(intent, what, hook);
  }

  /** Reports a check that throws. Without this the error would not be noticed, because the bus catches errors of subscribers. */
  #guard(follow: () => void): void {
    try {
      follow();
    } catch (error) {
      this.violations.add({ what: `a check failed: ${error instanceof Error ? error.stack : String(error)}` });
    }
  }

  #asked(payload: unknown): void {
    this.requests += 1;
    const intent = this.#sending?.intent;
    if (intent === undefined) {
      this.violations.add({ what: 'a request that was not sent' });
      return;
    }
    const id = (payload as { correlationId?: unknown } | null | undefined)?.correlationId;
    // The request is answered under another id. It is counted but not awaited.
    if (intent.isRefused || typeof id !== 'string') return;
    this.#sending?.ids.push(id);
    let settle = () => {};
    const answered = new Promise<void>((resolve) => {
      settle = resolve;
    });
    this.#open.set(id, {
      request: { ...intent, rounds: this.#rounds() },
      progress: new ProgressWatch(),
      answered,
      settle,
      cutAt: undefined,
      lateStarts: new Set(),
    });
  }

  #cancelled(correlationId: string): void {
    const open = this.#open.get(correlationId);
    if (open !== undefined) open.cutAt ??= performance.now();
  }

  #progressed(payload: ProgressPayload): void {
    if (payload.kind === 'circuit-changed') this.circuitChanges += 1;
    const open = this.#open.get(payload.correlationId);
    if (open === undefined) {
      this.violations.add({ what: `${payload.kind} was reported for a request that is not in flight`, event: payload.eventName });
      return;
    }
    const wrong = open.progress.follow(payload);
    if (wrong !== undefined) this.#violate(open.request, wrong);
    if (payload.kind === 'hook-started' && open.cutAt !== undefined) open.lateStarts.add(payload.hookId);
    // The start of a hook in a lane may be reported after the cancel, although it was before (docs/lanes.md).
    if (payload.kind === 'hook-finished' && open.lateStarts.has(payload.hookId) && payload.outcome.route?.kind !== 'lane')
      this.#violate(open.request, 'it started after the cancel', payload.hookId);
  }

  #answer(response: ResponsePayload): void {
    this.responses += 1;
    const { correlationId, error } = response;
    this.ends.add(error?.code ?? 'success');
    const open = this.#open.get(correlationId);
    if (open === undefined) {
      this.#answerToNobody(correlationId, error?.code);
      return;
    }
    this.#open.delete(correlationId);
    this.#remember(correlationId);
    const { request, progress, settle, cutAt } = open;
    if (cutAt !== undefined) this.#cutShort(request, performance.now() - cutAt);
    for (const { what, hook } of checkResponse(request, response, this.isEnding)) this.#violate(request, what, hook);
    for (const hookId of progress.unended) this.#violate(request, 'its start was reported and its end was not', hookId);
    this.#count(request, response);
    settle();
  }

  #answerToNobody(correlationId: string, code: string | undefined): void {
    if (this.#answered.has(correlationId)) this.violations.add({ what: `the request ${correlationId} was answered twice` });
    else if (code === 'invalid_request') this.#refusalsDue -= 1;
    else this.violations.add({ what: `a response (${code ?? 'success'}) to a request that was never sent` });
  }

  #remember(correlationId: string): void {
    this.#answered.add(correlationId);
    const [oldest] = this.#answered;
    if (this.#answered.size > remembered && oldest !== undefined) this.#answered.delete(oldest);
  }

  #count(request: SentRequest, { output, error }: ResponsePayload): void {
    const { rounds, eventName } = request;
    for (const outcome of (output?.outcomes ?? error?.details?.['outcomes'] ?? []) as readonly HookOutcome[]) {
      const { status, name, durationMs } = outcome;
      const end =
        status === 'skipped' ? `skipped: ${outcome.skipReason}` : outcome.warnings[0]?.code === 'not_started' ? 'not started' : status;
      this.statuses.add(end);
      if (status === 'skipped' || end === 'not started') continue;
      const kind = kindNameOf(name);
      const counters = this.kinds.get(kind) ?? new Counters();
      counters.add(status);
      this.kinds.set(kind, counters);
      if (status !== 'timed-out') continue;
      const hook = rounds.flatMap((round) => round.hooks[eventName]).find((candidate) => candidate.name === name);
      if (hook === undefined) continue;
      const overMs = Math.round(durationMs - hook.timeoutMs);
      this.latestTimeoutMs = Math.max(this.latestTimeoutMs, overMs);
      if (overMs > lateMs) this.#violate(request, `it was settled ${overMs} ms after its deadline`, name);
    }
  }

  #cutShort(request: SentRequest, tookMs: number): void {
    this.latestCancelMs = Math.max(this.latestCancelMs, Math.round(tookMs));
    if (tookMs > lateMs) this.#violate(request, `it was answered ${Math.round(tookMs)} ms after its cancel`);
  }

  #violate({ number, eventName, how }: Intent, what: string, hook?: string): void {
    this.violations.add({ what, event: `${number} (${eventName}, ${how})`, ...(hook === undefined ? {} : { hook }) });
  }
}

/** Checks the progress of one request: each hook starts once and ends once, and once more if it is asked again after a rewrite. */
export class ProgressWatch {
  readonly #started = new Set<string>();
  readonly #ended = new Set<string>();

  /** Returns what is wrong with this message after the earlier ones. */
  follow(progress: ProgressPayload): string | undefined {
    if (!('hookId' in progress)) return undefined;
    const run = runOf(progress);
    switch (progress.kind) {
      case 'hook-started':
        if (this.#started.has(run)) return `${run} started twice`;
        this.#started.add(run);
        return undefined;
      case 'hook-finished':
      case 'hook-skipped':
        if (this.#ended.has(run)) return `the end of ${run} was reported twice`;
        this.#ended.add(run);
        return undefined;
      default:
        return undefined;
    }
  }

  /** The runs of hooks whose start was reported, but not their end. */
  get unended(): string[] {
    return [...this.#started].filter((hookId) => !this.#ended.has(hookId));
  }
}

function runOf(progress: Extract<ProgressPayload, { hookId: string }>): string {
  const { recheck } = progress.kind === 'hook-finished' ? progress.outcome : 'recheck' in progress ? progress : {};
  return recheck ? `${progress.hookId}, asked again,` : progress.hookId;
}
