import { type DyingGroup, killGroup } from './kill-group.js';
import { signalGroup } from './process-group.js';

/** The process groups that a spawner answers for: those of running jobs, and those that are being killed. */
export class TrackedGroups {
  readonly #running = new Set<number>();
  readonly #dying = new Map<number, DyingGroup>();

  get dying(): number {
    return this.#dying.size;
  }

  add(group: number): void {
    this.#running.add(group);
  }

  /** The job ended normally: what it left behind is its own (decision 29). */
  release(group: number): void {
    this.#running.delete(group);
  }

  /** Resolves when nobody of the group is left. Nobody has to wait for it: the group stays tracked until then. */
  kill(group: number, graceMs: number): Promise<void> {
    this.#running.delete(group);
    const dying = killGroup(group, graceMs);
    this.#dying.set(group, dying);
    return dying.gone.then(() => {
      if (this.#dying.get(group) === dying) this.#dying.delete(group);
    });
  }

  /** Resolves when one of the dying groups is gone; at once when there is none. */
  async oneGone(): Promise<void> {
    if (this.#dying.size > 0) await Promise.race([...this.#dying.values()].map((dying) => dying.gone));
  }

  /** Resolves when no dying group is left, each with at most this grace from now. */
  async hurry(graceMs: number): Promise<void> {
    for (const dying of this.#dying.values()) dying.hurry(graceMs);
    await Promise.all([...this.#dying.values()].map((dying) => dying.gone));
  }

  /** For the 'exit' event of our process, where nothing asynchronous happens any more. */
  killNow(): void {
    for (const group of [...this.#running, ...this.#dying.keys()]) signalGroup(group, 'SIGKILL');
  }
}
