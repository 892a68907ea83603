import type { ProgressPayload } from './messages.js';

/** What was told of one request: each hook begins once and ends once, and nothing is told after the answer. */
export class ProgressWatch {
  readonly #started = new Set<string>();
  readonly #ended = new Set<string>();

  /** What is wrong with this message after those before it. */
  follow(progress: ProgressPayload): string | undefined {
    if (!('hookId' in progress)) return undefined;
    const { kind, hookId } = progress;
    switch (kind) {
      case 'hook-started':
        if (this.#started.has(hookId)) return `${hookId} started twice`;
        this.#started.add(hookId);
        return undefined;
      case 'hook-finished':
      case 'hook-skipped':
        if (this.#ended.has(hookId)) return `the end of ${hookId} was told twice`;
        this.#ended.add(hookId);
        return undefined;
      default:
        return undefined;
    }
  }

  /** Hooks of which the start was told and the end was not. */
  get unended(): string[] {
    return [...this.#started].filter((hookId) => !this.#ended.has(hookId));
  }
}
