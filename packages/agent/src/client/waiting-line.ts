import type { MessageBus } from '@tenterhook/bus';
import type { AggregatedHookResult } from '@tenterhook/protocol';
import { onAbort } from '@tenterhook/runtime/async';
import { findRequestFailure } from './failure-text.js';
import { isLimited } from './unanswered.js';

/** The maximum wait of an event without a timeout, in milliseconds. It equals the default timeout of a hook. */
const longestWaitMs = 60_000;

/**
 * The pause in milliseconds between two attempts of the first event in the line. The pause doubles after each attempt, up to a maximum.
 * Waiting only until another event ends was rejected: events of other processes use the same limits, and this process does not see when
 * they end.
 */
const firstPauseMs = 50;
const longestPauseMs = 1000;

interface Limits {
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

type Attempt = (timeoutMs: number | undefined) => Promise<AggregatedHookResult>;

const lines = new WeakMap<MessageBus, WaitingLine>();

/**
 * The events that a limit refused, in the order of arrival. When an event ends, the next event in the line is tried again. Letting the
 * agent continue without its hooks was rejected, because a model could then disable all guards by many calls at once. There is one line
 * per bus, because the agents on a bus share the service.
 *
 * If some hooks of a refused event did run, the next attempt runs these hooks again, because all hooks must be part of the same answer.
 */
export class WaitingLine {
  /** Events whose last attempt was refused. They are tried before the other events in the line. */
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

  /** Fires an event, and repeats it while a limit refuses it. After the timeout or an abort, resolves to the last refusal. */
  async fire(attempt: Attempt, { timeoutMs, signal }: Limits): Promise<AggregatedHookResult> {
    // An invalid timeout is passed to the bus, which reports it.
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
        // The timeout ended during this attempt. The limit is reported as the cause, because the event spent most of its time waiting.
        return refused !== undefined && leftMs() <= 0 && findRequestFailure(result)?.code === 'timeout' ? refused : result;
      }
      refused = result;
      if (leftMs() <= 0 || signal?.aborted) return result;
      await this.#turn(line, leftMs(), signal);
    }
  }

  /** Waits in the line. Resolves when it is the caller's turn, when the time is over, or when the signal aborts. */
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
