import type { MessageBus } from '@tenterhook/bus';
import { onAbort } from '@tenterhook/runtime/async';
import type { RecordedCancel } from '../format/recorded-cancel.js';

/** The request of a replay. */
export interface SentRequest {
  readonly correlationId: string;
  readonly eventName: string;
  readonly input: Record<string, unknown>;
  readonly recheck?: boolean;
}

interface Waiting {
  readonly control: AbortController;
  readonly cancel: RecordedCancel | undefined;
  readonly answered: Promise<void>;
  readonly settle: () => void;
  lateEnds: number;
}

/** The requests of a replay that are on their way. */
export class ReplayedRequests {
  readonly #bus: MessageBus;
  readonly #signal: AbortSignal | undefined;
  readonly #timeoutMs: number;
  readonly #waiting = new Map<string, Waiting>();
  readonly #stops: (() => void)[] = [];
  #notifyLate: () => void = () => {};

  constructor(bus: MessageBus, { signal, timeoutMs }: { readonly signal: AbortSignal | undefined; readonly timeoutMs: number }) {
    this.#bus = bus;
    this.#signal = signal;
    this.#timeoutMs = timeoutMs;
    this.#stops.push(
      // The response itself is awaited, and not `request()`, which gives up soon after a cancel.
      bus.subscribe('HOOK_EXECUTION_RESPONSE', ({ payload }) => this.#waiting.get(payload.correlationId)?.settle()),
      bus.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload }) => {
        const waiting = this.#waiting.get(payload.correlationId);
        if (waiting === undefined) return;
        if (payload.kind === 'hook-started' && payload.hookId === waiting.cancel?.after) waiting.control.abort(waiting.cancel.reason);
        if (payload.kind === 'hook-finished' && payload.late) {
          waiting.lateEnds += 1;
          this.#notifyLate();
        }
      }),
    );
    if (signal !== undefined) {
      this.#stops.push(
        onAbort(signal, () => {
          for (const { control } of this.#waiting.values()) control.abort('cancelled');
          this.#notifyLate();
        }),
      );
    }
  }

  /** Sends a request, and cancels it at the recorded place. */
  send(request: SentRequest, cancel: RecordedCancel | undefined): void {
    const { correlationId, eventName, input, recheck } = request;
    let settle = () => {};
    const answered = new Promise<void>((resolve) => {
      settle = resolve;
    });
    const control = new AbortController();
    this.#waiting.set(correlationId, { control, cancel, answered, settle, lateEnds: 0 });
    const payload = { correlationId, eventName, input, ...(recheck === undefined ? {} : { recheck }) };
    // A service that is gone answers nothing, and then the failure of `request()` ends the wait. Otherwise the response comes first.
    void this.#bus
      .request('HOOK_EXECUTION_REQUEST', payload, { signal: control.signal, timeoutMs: this.#timeoutMs })
      .then(({ error }) => (error?.code === 'cancelled' ? this.#afterGrace(settle) : settle()), settle);
    if (cancel !== undefined && cancel.after === undefined) control.abort(cancel.reason);
  }

  /** Resolves when all of these requests have their responses. */
  async answered(ids: readonly string[]): Promise<void> {
    await Promise.all(ids.map((id) => this.#waiting.get(id)?.answered));
  }

  /** Resolves when each request has as many late ends as expected, or after the timeout. */
  async lateEnds(expected: readonly (readonly [id: string, count: number])[]): Promise<void> {
    const isDone = () => this.#signal?.aborted || expected.every(([id, count]) => (this.#waiting.get(id)?.lateEnds ?? 0) >= count);
    if (isDone()) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#timeoutMs);
      this.#notifyLate = () => {
        if (!isDone()) return;
        clearTimeout(timer);
        resolve();
      };
    });
  }

  stop(): void {
    for (const stop of this.#stops.splice(0)) stop();
  }

  /** A hook may take a while to end after a cancel. Its response has the outcomes that are compared. */
  #afterGrace(settle: () => void): void {
    const timer = setTimeout(settle, this.#timeoutMs);
    this.#stops.push(() => clearTimeout(timer));
  }
}
