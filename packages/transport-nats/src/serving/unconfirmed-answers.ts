import type { Delivery } from '@tenterhook/bus';
import { log, type NatsLink } from '../client/nats-link.js';
import type { CheckedLimits } from '../limits.js';
import { disposed } from '../nats-error.js';

/** An answer that the server has not confirmed. It is sent again after a reconnection. */
interface UnconfirmedAnswer {
  readonly send: () => void;
  /** Whether it was sent at least once. `sendAgain()` repeats it after each loss of the connection. */
  isSent: boolean;
  readonly bytes: number;
  readonly resolve: (delivery: Delivery) => void;
  readonly reject: (error: Error) => void;
}

/** The answers of this process that the server may not have. They survive the loss of a connection. */
export class UnconfirmedAnswers {
  readonly #link: NatsLink;
  readonly #limits: CheckedLimits;
  readonly #answers = new Set<UnconfirmedAnswer>();
  readonly #followed = new Map<Promise<void>, UnconfirmedAnswer[]>();
  readonly #waiters = new Set<() => void>();
  #bytes = 0;

  constructor(link: NatsLink, limits: CheckedLimits) {
    this.#link = link;
    this.#limits = limits;
  }

  /** Whether an answer of this size can be sent, or wait for a reconnection. */
  hasRoom(bytes: number): boolean {
    return this.#link.isOpen || this.#bytes + bytes <= this.#limits.maxWaitingBytes;
  }

  /** Sends an answer, now or after the reconnection. Resolves when the server has it, with `isUrgent` as soon as possible. */
  send(bytes: number, isUrgent: boolean, send: () => void): Promise<Delivery> {
    return new Promise<Delivery>((resolve, reject) => {
      const { isOpen } = this.#link;
      const answer: UnconfirmedAnswer = { send, isSent: isOpen, bytes, resolve, reject };
      this.#answers.add(answer);
      this.#bytes += bytes;
      if (!isOpen) return;
      // The question to the server is prepared first, so that it is written with the answer. It is sent at the end of this turn.
      const confirmed = isUrgent ? this.#link.confirm() : this.#link.confirmSoon();
      send();
      this.#follow(answer, confirmed);
    });
  }

  /** The connection is back, but nothing is confirmed yet. What was sent last may have been lost with the connection. */
  sendAgain(): void {
    for (const answer of this.#answers) {
      answer.isSent = true;
      answer.send();
    }
  }

  confirmAgain(): void {
    for (const answer of this.#answers) {
      // It was given after `sendAgain()`.
      if (!answer.isSent) answer.send();
      answer.isSent = true;
      this.#follow(answer, this.#link.confirm());
    }
  }

  /** Resolves to true when the server has all answers, and to false if the time is up first. */
  async settled(timeoutMs: number): Promise<boolean> {
    if (this.#answers.size === 0) return true;
    let timer: NodeJS.Timeout | undefined;
    let end = () => {};
    await new Promise<void>((resolve) => {
      end = resolve;
      this.#waiters.add(end);
      timer = setTimeout(end, timeoutMs);
    });
    clearTimeout(timer);
    this.#waiters.delete(end);
    return this.#answers.size === 0;
  }

  rejectAll(): void {
    for (const answer of [...this.#answers]) {
      this.#forget(answer);
      answer.reject(disposed());
    }
  }

  /** Many answers share one confirmation. */
  #follow(answer: UnconfirmedAnswer, confirmed: Promise<void>): void {
    const known = this.#followed.get(confirmed);
    if (known !== undefined) {
      known.push(answer);
      return;
    }
    const answers = [answer];
    this.#followed.set(confirmed, answers);
    confirmed.then(
      () => {
        this.#followed.delete(confirmed);
        for (const each of answers) if (this.#forget(each)) each.resolve('unserved');
      },
      (error: Error & { readonly code?: string }) => {
        this.#followed.delete(confirmed);
        if (error.code === 'disconnected') return;
        for (const each of answers) if (this.#forget(each)) each.reject(error);
      },
    );
  }

  #forget(answer: UnconfirmedAnswer): boolean {
    if (!this.#answers.delete(answer)) return false;
    this.#bytes -= answer.bytes;
    if (this.#answers.size > 0) return true;
    log('the server has all answers');
    for (const end of this.#waiters) end();
    return true;
  }
}
