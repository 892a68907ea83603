import { type Diagnostic, formatDiagnostic, type HookDefinition, type HookEventName, type HookSource } from '@tenterhook/protocol';
import { createLog } from '@tenterhook/runtime/log';
import type { Extension } from './extensions/extension.js';
import { type LoadedSettings, loadSettings, type SettingsRequest } from './load-settings.js';
import type { SettingsFile } from './read/read-settings-file.js';
import type { FileStamps } from './watch/file-stamps.js';

/** Why settings were read again. */
export type ReloadCause = 'reload' | 'extensions' | 'watch';

const nothing: LoadedSettings = { hooks: [], off: [], diagnostics: [], files: [], stamps: new Map() };
const log = createLog('settings');

/**
 * Settings as a source of hooks. After each reading, all hooks are replaced at once (decision 35). `dispose()` does not wait for a reading
 * in progress. The result of that reading is discarded, and no observer is called.
 */
export class SettingsSource implements HookSource {
  readonly #request: Omit<SettingsRequest, 'extensions' | 'lastGood'>;
  readonly #lastGood: SettingsRequest['lastGood'] = new Map();
  readonly #observers = new Set<(cause: ReloadCause) => void>();
  readonly #onLoad: (hooks: readonly HookDefinition[]) => readonly Diagnostic[];
  #extensions: readonly Extension[];
  #loaded: LoadedSettings = nothing;
  /** Resolves one turn of the event loop after the last reading. */
  #rested: Promise<unknown> = Promise.resolve();
  /** The next reading, which has not begun. */
  #next: Promise<void> | undefined;
  #disposed = false;

  /** Calls `onLoad` with new hooks before they replace the old ones. `onLoad` returns further diagnostics. @default none */
  constructor(
    request: Omit<SettingsRequest, 'extensions' | 'lastGood'>,
    extensions: readonly Extension[],
    onLoad: (hooks: readonly HookDefinition[]) => readonly Diagnostic[] = () => [],
  ) {
    this.#onLoad = onLoad;
    this.#request = request;
    this.#extensions = extensions;
  }

  /** Calls its observers with the cause, in the order in which they subscribed. */
  readonly changes$: { subscribe(observer: (cause: ReloadCause) => void): { unsubscribe(): void } } = {
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

  /** Every file where settings were looked for, whether it exists or not (field failure 21). */
  get files(): readonly SettingsFile[] {
    return this.#loaded.files;
  }

  /** The stamps of these files when they were read. */
  get stamps(): FileStamps {
    return this.#loaded.stamps;
  }

  /**
   * Reads all settings again, in a reading that begins after the call. At most one reading runs, and at most one more waits. All calls that
   * are made before the waiting reading begins receive its result.
   *
   * The event loop gets a turn between two readings. Settings that are objects are read without waiting. Without the turn, a listener of
   * changes that calls `reload()` could keep timers and signals from being handled.
   */
  reload(cause: ReloadCause = 'reload'): Promise<void> {
    this.#next ??= this.#rested.then(() => {
      this.#next = undefined;
      const reading = this.#load(cause);
      // The callers of this reading receive its error. An error must not prevent the next reading.
      this.#rested = reading.catch(() => {}).then(() => new Promise(setImmediate));
      return reading;
    });
    return this.#next;
  }

  setExtensions(change: (extensions: readonly Extension[]) => readonly Extension[]): Promise<void> {
    this.#extensions = change(this.#extensions);
    return this.reload('extensions');
  }

  dispose(): void {
    this.#disposed = true;
    this.#observers.clear();
  }

  async #load(cause: ReloadCause): Promise<void> {
    if (this.#disposed) return;
    const loaded = await loadSettings({ ...this.#request, extensions: this.#extensions, lastGood: this.#lastGood });
    if (this.#disposed) return;
    const decided = this.#onLoad(loaded.hooks);
    this.#loaded = decided.length === 0 ? loaded : { ...loaded, diagnostics: [...loaded.diagnostics, ...decided] };
    logLoaded(cause, loaded);
    for (const observer of [...this.#observers]) observer(cause);
  }
}

function logLoaded(cause: ReloadCause, { files, hooks, off, diagnostics }: LoadedSettings): void {
  if (!log.enabled) return;
  log('%s: %d hooks on, %d off', cause, hooks.length, off.length);
  for (const { file, source, state } of files) log('  %s (%s) %s', file, source, state);
  for (const diagnostic of diagnostics) log('  %s %s', diagnostic.severity, formatDiagnostic(diagnostic));
}
