import { createLog } from '@tenterhook/runtime/log';
import type { ProjectTrust, TrustRequest } from '@tenterhook/trust';
import type { TrustAnswer, TrustOptions } from './trust-options.js';

const log = createLog('trust');

/** How long a user may take to answer, in milliseconds. */
const longestMs = 5 * 60 * 1000;

/**
 * Asks the agent about hooks that are new or have changed. One question is open at a time. Each pin is asked about once. A hook that
 * changes has a new pin, so it is asked about again.
 */
export class HostQuestions {
  readonly #trust: ProjectTrust;
  readonly #ask: NonNullable<TrustOptions['ask']>;
  readonly #asked = new Set<string>();
  readonly #control = new AbortController();
  #open: Promise<void> | undefined;

  constructor(trust: ProjectTrust, ask: NonNullable<TrustOptions['ask']>) {
    this.#trust = trust;
    this.#ask = ask;
  }

  /** Asks about the hooks that were not asked about yet. Does not wait for the answer. */
  ask(): void {
    if (this.#open !== undefined || this.#control.signal.aborted) return;
    const requests = this.#trust.requests().filter(({ pin }) => !this.#asked.has(pin));
    if (requests.length === 0) return;
    for (const { pin } of requests) this.#asked.add(pin);
    this.#open = this.#settle(requests).finally(() => {
      this.#open = undefined;
      // While the question was open, another hook may have changed.
      this.ask();
    });
  }

  /** Aborts the open question. Its answer has no effect. */
  dispose(): void {
    this.#control.abort('disposed');
  }

  async #settle(requests: readonly TrustRequest[]): Promise<void> {
    const signal = AbortSignal.any([this.#control.signal, AbortSignal.timeout(longestMs)]);
    let answers: readonly TrustAnswer[];
    try {
      answers = await Promise.race([this.#ask(requests, { signal }), aborted(signal)]);
    } catch (error) {
      log('the question about trust was not answered: %O', error);
      return;
    }
    if (this.#control.signal.aborted) return;
    if (!Array.isArray(answers) || answers.length !== requests.length) {
      log('the question about trust must be answered with %d answers, and the answer was %O', requests.length, answers);
      return;
    }
    for (const [index, { pin }] of requests.entries()) this.#apply(pin, answers[index]);
  }

  #apply(pin: string, answer: TrustAnswer | undefined): void {
    try {
      if (answer === 'trust') this.#trust.accept(pin, 'host', new Date());
      if (answer === 'deny') this.#trust.deny(pin, 'host', new Date());
    } catch (error) {
      log('the answer about %s could not be stored: %O', pin, error);
    }
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
