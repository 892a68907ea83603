import { writeFileSync } from 'node:fs';
import type { Hooks } from 'tenterhook';
import type { Reload } from './event-plan.js';
import type { HookKind } from './hook-kinds/hook-kind.js';
import { makeRound, type Round } from './settings-round.js';

/** The settings file of a system. It changes while events are being handled. */
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

  /** The settings that may apply to an event that begins now: during a reload, the old ones or the new ones. */
  get rounds(): readonly Round[] {
    return this.#loading === undefined ? [this.#current] : [this.#current, this.#loading];
  }

  /** Changes the settings. One change follows another, because each writes the same file. Rejects if a reload rejects. */
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
        // The file is broken here. Its last valid state must stay in use, so that the guards are not lost.
        writeFileSync(this.file, '{ "hooks": { "BeforeTool": [');
        await hooks.reload();
        this.#write(this.#current);
    }
  }

  #write(round: Round): void {
    writeFileSync(this.file, JSON.stringify(round.settings));
  }
}
