import type { check } from './asker.js';

/** What a caller gets: the answer of a responder, or an error in its place. */
export type Answer = Parameters<typeof check>[0] & { readonly error?: { readonly code: string } };

/** Milliseconds. Every request that has a deadline has this one. It never passes. */
export const timeoutMs = 30_000;

interface Caller {
  readonly resolve: (answer: Answer) => void;
  readonly timer: NodeJS.Timeout;
}

/** The callers that wait for an answer, each with an id and a deadline, as a program without a library would keep them. */
export class Callers {
  readonly #nextId: () => string;
  readonly #waiting = new Map<string, Caller>();

  constructor(nextId: () => string) {
    this.#nextId = nextId;
  }

  /** Adds a caller. `send` returns false if there is no responder. */
  ask(send: (id: string) => boolean): Promise<Answer> {
    return new Promise((resolve) => {
      const id = this.#nextId();
      const timer = setTimeout(() => this.fail(id, 'timeout'), timeoutMs);
      this.#waiting.set(id, { resolve, timer });
      if (!send(id)) this.fail(id, 'no_responders');
    });
  }

  settle(id: string, answer: Answer): void {
    const caller = this.#waiting.get(id);
    if (caller === undefined) return;
    this.#waiting.delete(id);
    clearTimeout(caller.timer);
    caller.resolve(answer);
  }

  fail(id: string, code: string): void {
    this.settle(id, { success: false, error: { code } });
  }

  failAll(code: string): void {
    for (const id of [...this.#waiting.keys()]) this.fail(id, code);
  }
}
