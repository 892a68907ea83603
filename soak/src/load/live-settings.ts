import { writeFileSync } from 'node:fs';
import type { Hooks } from 'tenterhook';
import type { Reload } from './event-plan.js';
import type { HookKind } from './hook-kinds/hook-kind.js';
import { makeRound, type Round } from './settings-round.js';

/** The settings file of a system, which changes while events are in flight. */
export class LiveSettings {
  readonly file: string;
  readonly #seed: number;
  readonly #kinds: readonly HookKind[];
  #current: Round;
  #loading: Round | undefined;
  #changes: Promise<void> = Promise.resolve();
  reloads = 0;

  constructor(file: string, seed: number, kinds: readonly HookKind[]) {
    this.file = file;
    this.#seed = seed;
    this.#kinds = kinds;
    this.#current = makeRound(seed, 0, kinds);
    this.#write(this.#current);
  }

  /** The sets that may apply to an event that begins now: during a reload, the old one or the new one. */
  get rounds(): readonly Round[] {
    return this.#loading === undefined ? [this.#current] : [this.#current, this.#loading];
  }

  /** One change after another, because each writes the file that the others read. Rejects if a reload does. */
  change(hooks: Hooks, reload: Exclude<Reload, 'none'>): Promise<void> {
    this.#changes = this.#changes.then(() => this.#change(hooks, reload));
    return this.#changes;
  }

  async #change(hooks: Hooks, reload: Exclude<Reload, 'none'>): Promise<void> {
    this.reloads += 1;
    switch (reload) {
      case 'new settings': {
        const next = makeRound(this.#seed, this.#current.number + 1, this.#kinds);
        this.#write(next);
        this.#loading = next;
        await hooks.reload();
        this.#current = next;
        this.#loading = undefined;
        return;
      }
      case 'the same again':
        await Promise.all([hooks.reload(), hooks.reload()]);
        return;
      case 'a broken file':
        // The last valid settings stay: half a file must not remove the guards.
        writeFileSync(this.file, '{ "hooks": { "BeforeTool": [');
        await hooks.reload();
        this.#write(this.#current);
    }
  }

  #write(round: Round): void {
    writeFileSync(this.file, JSON.stringify(round.settings));
  }
}
