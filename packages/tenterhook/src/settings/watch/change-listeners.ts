import type { Diagnostic } from '@tenterhook/protocol';
import { createLog } from '@tenterhook/runtime/log';
import type { SettingsFile } from '../read/read-settings-file.js';
import type { ReloadCause } from '../settings-source.js';

/** What listeners receive after the settings were read again and all hooks were replaced. */
export interface SettingsChange {
  /** What caused it: a call of `reload()`, a changed extension, or a changed file. */
  readonly cause: ReloadCause;
  /** The current problems. If a file is broken, a diagnostic reports this, and the hooks of its last valid content stay in use. */
  readonly diagnostics: readonly Diagnostic[];
  /** Every file where settings were looked for, whether it exists or not. */
  readonly files: readonly SettingsFile[];
}

/** Called after the hooks were replaced. The return value is ignored. An error is only logged. */
export type SettingsListener = (change: SettingsChange) => unknown;

const log = createLog('settings');

/** The listeners of changes. If one throws or rejects, the others are called anyway, and the reload succeeds (field failure 77). */
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
