import type { Changes, Diagnostic, HookDefinition, HookEventName, HookSource } from '@tenterhook/protocol';
import { type Extension, type LoadedSettings, loadSettings, type SettingsFile, type SettingsRequest } from './load-settings.js';

const nothing: LoadedSettings = { hooks: [], off: [], diagnostics: [], files: [] };

/** Settings as a source of hooks. The whole set is swapped at once, after everything was read (decision 35). */
export class SettingsSource implements HookSource {
  readonly #request: Omit<SettingsRequest, 'extensions' | 'lastGood'>;
  readonly #lastGood: SettingsRequest['lastGood'] = new Map();
  readonly #observers = new Set<() => void>();
  #extensions: readonly Extension[];
  #loaded: LoadedSettings = nothing;
  #loading: Promise<void> = Promise.resolve();

  constructor(request: Omit<SettingsRequest, 'extensions' | 'lastGood'>, extensions: readonly Extension[]) {
    this.#request = request;
    this.#extensions = extensions;
  }

  readonly changes$: Changes = {
    subscribe: (observer) => {
      this.#observers.add(observer);
      return { unsubscribe: () => this.#observers.delete(observer) };
    },
  };

  hooksFor(eventName: HookEventName): readonly HookDefinition[] {
    return this.#loaded.hooks.filter((hook) => hook.eventName === eventName);
  }

  offFor(eventName: HookEventName): readonly { hook: HookDefinition; reason: string }[] {
    return this.#loaded.off.filter((entry) => entry.hook.eventName === eventName);
  }

  get diagnostics(): readonly Diagnostic[] {
    return this.#loaded.diagnostics;
  }

  /** Every file that was looked for, found or not (field failure 21). */
  get files(): readonly SettingsFile[] {
    return this.#loaded.files;
  }

  /** Reads everything anew. Calls are carried out one after another, so that the last one to be called is the one that stays. */
  reload(): Promise<void> {
    // What went wrong with the last one is told to its caller, and is no reason not to try again.
    this.#loading = this.#loading
      .catch(() => {})
      .then(async () => {
        this.#loaded = await loadSettings({ ...this.#request, extensions: this.#extensions, lastGood: this.#lastGood });
        for (const observer of [...this.#observers]) observer();
      });
    return this.#loading;
  }

  setExtensions(change: (extensions: readonly Extension[]) => readonly Extension[]): Promise<void> {
    this.#extensions = change(this.#extensions);
    return this.reload();
  }
}
