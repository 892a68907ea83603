import type { Diagnostic } from '@tenterhook/protocol';
import { createLog } from '@tenterhook/runtime/log';
import type { SettingsFile } from '../read/read-settings-file.js';
import type { ReloadCause } from '../settings-source.js';

/** The settings were read again, and the whole set of hooks was swapped. */
export interface SettingsChange {
  /** `reload()` was called, an extension was added or removed, or a watched file has changed. */
  readonly cause: ReloadCause;
  /** The current problems; a file that is broken keeps its last good state, and a diagnostic reports it. */
  readonly diagnostics: readonly Diagnostic[];
  /** Every settings file that was looked for, found or not. */
  readonly files: readonly SettingsFile[];
}

/** Called after the hooks have been replaced. What it returns or throws has no effect. */
export type SettingsListener = (change: SettingsChange) => unknown;

const log = createLog('settings');

/** The listeners of changes. One that throws, or whose promise rejects, affects neither the others nor the reload (field failure 77). */
export class ChangeListeners {
  readonly #listeners = new Set<{ readonly listener: SettingsListener }>();

  /** Calls the listener from now on. Returns a function that removes it; a listener that is added twice is called twice. */
  add(listener: SettingsListener): () => void {
    if (typeof listener !== 'function') throw new TypeError('onChange() must be called with a function.');
    const entry = { listener };
    this.#listeners.add(entry);
    return () => {
      this.#listeners.delete(entry);
    };
  }

  notify(change: SettingsChange): void {
    for (const { listener } of [...this.#listeners]) void callSafely(listener, change);
  }

  clear(): void {
    this.#listeners.clear();
  }
}

async function callSafely(listener: SettingsListener, change: SettingsChange): Promise<void> {
  try {
    await listener(change);
  } catch (error) {
    log('a listener of onChange() failed: %O', error);
  }
}
