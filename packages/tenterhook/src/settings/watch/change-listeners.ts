import type { Diagnostic } from '@tenterhook/protocol';
import { createLog } from '@tenterhook/runtime/log';
import type { SettingsFile } from '../read/read-settings-file.js';
import type { ReloadCause } from '../settings-source.js';

/** Passed to listeners after the settings were read again and all hooks were replaced. */
export interface SettingsChange {
  /** Why: `reload()` was called, an extension was added or removed, or a watched file has changed. */
  readonly cause: ReloadCause;
  /** The current problems. A broken file keeps its last valid state, and a diagnostic reports it. */
  readonly diagnostics: readonly Diagnostic[];
  /** Every file where settings were looked for, whether it exists or not. */
  readonly files: readonly SettingsFile[];
}

/** A listener that is called after the hooks were replaced. Its return value is ignored, and an error is only logged. */
export type SettingsListener = (change: SettingsChange) => unknown;

const log = createLog('settings');

/** The listeners of changes. If one throws, or its promise rejects, the others and the reload are not affected (field failure 77). */
export class ChangeListeners {
  readonly #listeners = new Set<{ readonly listener: SettingsListener }>();

  /** Adds a listener. Returns a function that removes it. A listener that is added twice is called twice. */
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
