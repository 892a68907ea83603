import { EventRecords } from '@tenterhook/bus/internal';
import type { HookSystem } from '@tenterhook/engine';
import type { Dialect, HookTracing } from '@tenterhook/protocol';
import { omitUndefined } from '@tenterhook/runtime/json';
import { cancellable, type ReloadOptions, requireSignalOption } from '../cancellation.js';
import type { OpenHooks } from '../hooks.js';
import type { Extension } from '../settings/extensions/extension.js';
import { requireExtension, requireReadable } from '../settings/extensions/require-extension.js';
import type { ChangeListeners } from '../settings/watch/change-listeners.js';
import type { EventWatches } from './event-watches.js';
import { closeParts, type OpenedParts } from './opened-parts.js';

/** The parts of a `Hooks` object once all are open. */
interface CompleteParts extends OpenedParts {
  readonly system: HookSystem;
  readonly listeners: ChangeListeners;
  readonly watches: EventWatches;
}

/** Returns the object that `createHooks()` returns, without `agent()`. */
export function hooksOf(parts: CompleteParts, dialects: readonly Dialect[], tracing: HookTracing | undefined): OpenHooks {
  const { trust, source, system, listeners, watches } = parts;
  const dispose = () => closeParts(parts);
  return {
    bus: system.bus,
    fire: (eventName, input, options) => system.fire(eventName, input, options),
    has: (eventName) => system.has(eventName),
    list: (eventName) => system.list(eventName),
    getEventHandler: () => system.getEventHandler(),
    explain: (eventName, input) => system.explain(eventName, input),
    get isDisposed() {
      return system.isDisposed;
    },
    get diagnostics() {
      return system.diagnostics;
    },
    get files() {
      return source.files;
    },
    get hooks() {
      return system.hooks;
    },
    get off() {
      return system.off;
    },
    extensions: {
      add: async (extension, options) => {
        requireExtension(extension, { caller: 'extensions.add' });
        requireReadable(extension, { caller: 'extensions.add' }, dialects);
        const withIt = (known: readonly Extension[]) => [...known.filter((other) => other.name !== extension.name), extension];
        await reading('extensions.add', options, () => source.setExtensions(withIt));
      },
      remove: (name, options) =>
        reading('extensions.remove', options, () => source.setExtensions((known) => known.filter((other) => other.name !== name))),
    },
    trust: trust.api,
    reload: (options) => reading('reload', options, () => source.reload()),
    onChange: (listener) => listeners.add(listener),
    onProgress: (listener) => watches.add('HOOK_EXECUTION_PROGRESS', listener),
    onResult: (listener) => watches.add('HOOK_EXECUTION_RESPONSE', listener),
    ...omitUndefined({ tracing }),
    get events$() {
      // Created at its first use, because it loads RxJS.
      parts.records ??= new EventRecords(system.bus);
      return parts.records.stream;
    },
    dispose,
    [Symbol.asyncDispose]: dispose,
  };
}

/**
 * Waits until the settings are read, or the signal aborts. An abort does not stop the reading, because other callers may wait for it too.
 */
async function reading(caller: string, options: ReloadOptions | undefined, read: () => Promise<void>): Promise<void> {
  if (options === undefined) return read();
  requireSignalOption(caller, options);
  await cancellable({ caller, undone: 'The settings were not read to the end' }, options.signal, read);
}
