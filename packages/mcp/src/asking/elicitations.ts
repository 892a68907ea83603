import { randomUUID } from 'node:crypto';
import { onAbort } from '@tenterhook/runtime/async';
import { isPlainObject } from '@tenterhook/runtime/json';
import type { Message } from '../wire/message.js';
import { questionParams } from './question-text.js';

/** Milliseconds for an answer. A client that forgets a question must not keep a call forever. */
export const longestAnswerMs = 600_000;

/** Questions to the client as requests `elicitation/create`: the way of the protocols up to 2025-11-25. */
export class Elicitations {
  readonly #waiting = new Map<string, (answer: 'allow' | 'deny' | undefined) => void>();
  readonly #send: (message: Message) => void;
  /** All ids begin with this. The server does not know it, so it cannot guess an id. */
  readonly #prefix = `tenterhook.${randomUUID()}.`;
  #count = 0;

  constructor(send: (message: Message) => void) {
    this.#send = send;
  }

  /** Asks, and resolves to the answer. Undefined if the client cannot answer, does not answer in time, or the signal aborts. */
  ask(message: string, signal: AbortSignal): Promise<'allow' | 'deny' | undefined> {
    return new Promise((resolve) => {
      this.#count += 1;
      const id = `${this.#prefix}${this.#count}`;
      const withdraw = (reason: string) => {
        settle(undefined);
        this.#send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id, reason } });
      };
      const timer = setTimeout(() => withdraw('There was no answer in time.'), longestAnswerMs);
      const settle = (answer: 'allow' | 'deny' | undefined) => {
        clearTimeout(timer);
        stopListening();
        this.#waiting.delete(id);
        resolve(answer);
      };
      const stopListening = onAbort(signal, () => withdraw('The call was cancelled.'));
      this.#waiting.set(id, settle);
      this.#send({ jsonrpc: '2.0', id, method: 'elicitation/create', params: questionParams(message) });
    });
  }

  /** Takes a response of the client, if it is an answer to a question of ours. A late answer, and a second one, have no effect. */
  take({ id, result }: Message): boolean {
    if (typeof id !== 'string' || !id.startsWith(this.#prefix)) return false;
    const action = isPlainObject(result) ? result['action'] : undefined;
    this.#waiting.get(id)?.(action === 'accept' ? 'allow' : action === undefined ? undefined : 'deny');
    return true;
  }
}
