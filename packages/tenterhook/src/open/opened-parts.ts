import type { EventRecords } from '@tenterhook/bus/internal';
import type { HookSystem } from '@tenterhook/engine';
import type { Inspection } from '../inspect/open-inspection.js';
import type { OpenRecorder } from '../record/open-recorder.js';
import type { SettingsSource } from '../settings/settings-source.js';
import type { ChangeListeners } from '../settings/watch/change-listeners.js';
import type { OpenTrust } from '../trust/open-trust.js';
import type { EventWatches } from './event-watches.js';

/** The parts of a `Hooks` object, in the order in which they are opened. If one cannot be opened, those after it are missing. */
export interface OpenedParts {
  readonly trust: OpenTrust;
  readonly source: SettingsSource;
  inspection?: Inspection | undefined;
  system?: HookSystem;
  recorder?: OpenRecorder | undefined;
  listeners?: ChangeListeners;
  fileWatch?: { stop(): void };
  watches?: EventWatches;
  records?: EventRecords;
}

/**
 * Closes all parts, also if closing one fails, and rejects with the first error. What starts events is closed before the system, and what
 * receives events after it, because some events end while the system is disposed.
 */
export async function closeParts(parts: OpenedParts): Promise<void> {
  const { trust, source, inspection, system, recorder, listeners, fileWatch, watches } = parts;
  const failures: { readonly error: unknown }[] = [];
  const closing: readonly (() => unknown)[] = [
    () => fileWatch?.stop(),
    () => trust.dispose(),
    () => source.dispose(),
    () => listeners?.clear(),
    () => system?.dispose(),
    () => recorder?.close(),
    () => watches?.clear(),
    // Read only now, because a user may ask for the first stream while the system is disposed.
    () => parts.records?.close(),
    () => inspection?.close(),
    () => trust.removeCopies(),
  ];
  for (const close of closing) {
    try {
      const closed = close();
      // Without a promise, the next part is closed in the same turn. So nothing starts an event before the system is disposed.
      if (closed instanceof Promise) await closed;
    } catch (error) {
      failures.push({ error });
    }
  }
  if (failures[0] !== undefined) throw failures[0].error;
}
