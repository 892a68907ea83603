import type { MessageBus } from '@tenterhook/bus';
import type { AggregatedHookResult } from '@tenterhook/protocol';
import { onAbort } from '@tenterhook/runtime/async';
import { findRequestFailure } from './failure-text.js';
import { isLimited } from './unanswered.js';

/** Milliseconds that an event without a timeout of its own waits for its turn: as long as a hook may run by default. */
const longestWaitMs = 60_000;

/** Milliseconds between two attempts of the first in line, doubled up to the maximum: others may use the same service, and their ends are not seen here. */
const firstPauseMs = 50;
const longestPauseMs = 1000;

interface Limits {
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

type Attempt = (timeoutMs: number | undefined) => Promise<AggregatedHookResult>;

const lines = new WeakMap<MessageBus, WaitingLine>();

/**
 * The events that wait for their turn because a limit refused them, first come, first served: on the bus a refusal is immediate, and an agent that
 * went on without its guards for that reason could be made to by many calls at once. Each event that ends lets the next one try, so that as many
 * are in flight as the service takes. One line for each bus, because its agents share the service.
 *
 * Hooks of the refused event that did run are run again: an event has one answer, of all its hooks.
 */
export class WaitingLine {
  /** Tried and refused since they were called: before all others. */
  readonly #again = new Set<() => void>();
  readonly #waiting = new Set<() => void>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pauseMs = firstPauseMs;

  static of(bus: MessageBus): WaitingLine {
    let line = lines.get(bus);
    if (line === undefined) {
      line = new WaitingLine();
      lines.set(bus, line);
    }
    return line;
  }

  /** Resolves to the result of the last attempt, or when the time is over, or the signal aborts, to the last refusal. */
  async fire(attempt: Attempt, { timeoutMs, signal }: Limits): Promise<AggregatedHookResult> {
    // An invalid timeout goes to the bus, which reports it.
    if (timeoutMs !== undefined && !(timeoutMs >= 1)) return attempt(undefined);
    const began = performance.now();
    const leftMs = () => (timeoutMs ?? longestWaitMs) - (performance.now() - began);
    const isFirst = this.#waiting.size === 0 && this.#again.size === 0;
    if (!isFirst) await this.#turn(this.#waiting, leftMs(), signal);
    let refused: AggregatedHookResult | undefined;
    for (let line = isFirst ? this.#waiting : this.#again; ; line = this.#again) {
      const result = await attempt(timeoutMs === undefined ? undefined : Math.max(1, leftMs()));
      if (!isLimited(result)) {
        this.#pauseMs = firstPauseMs;
        this.#callNext();
        // The time was over during this attempt, but what used it up is the limit.
        return refused !== undefined && leftMs() <= 0 && findRequestFailure(result)?.code === 'timeout' ? refused : result;
      }
      refused = result;
      if (leftMs() <= 0 || signal?.aborted) return result;
      await this.#turn(line, leftMs(), signal);
    }
  }

  /** Resolves when the caller is the next to try, its time is over, or its signal aborts. */
  #turn(line: Set<() => void>, ms: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const leave = () => {
        line.delete(leave);
        clearTimeout(timer);
        stopListening?.();
        resolve();
      };
      const timer = setTimeout(leave, ms);
      const stopListening = signal === undefined ? undefined : onAbort(signal, leave);
      line.add(leave);
      this.#arm();
    });
  }

  #callNext(): void {
    const [next] = this.#again.size > 0 ? this.#again : this.#waiting;
    next?.();
  }

  #arm(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#pauseMs = Math.min(2 * this.#pauseMs, longestPauseMs);
      this.#callNext();
      if (this.#waiting.size + this.#again.size > 0) this.#arm();
    }, this.#pauseMs);
  }
}
