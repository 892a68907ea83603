/** What waits for one signal, behind one listener on it. */
interface Group {
  readonly callbacks: Set<() => void>;
  readonly listener: () => void;
}

const groups = new WeakMap<AbortSignal, Group>();

/**
 * Calls back when the signal aborts, unless the returned function was called before. A loop gives one signal to all its requests, and
 * Node warns of a leak at eleven listeners (field failure 81): however many wait, each signal has one listener, and none when nobody waits.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const group = groups.get(signal) ?? createGroup(signal);
  group.callbacks.add(callback);
  return () => {
    if (!group.callbacks.delete(callback) || group.callbacks.size > 0) return;
    signal.removeEventListener('abort', group.listener);
    groups.delete(signal);
  };
}

function createGroup(signal: AbortSignal): Group {
  const callbacks = new Set<() => void>();
  const group = {
    callbacks,
    listener: () => {
      groups.delete(signal);
      const called = [...callbacks];
      callbacks.clear();
      for (const callback of called) callback();
    },
  };
  groups.set(signal, group);
  signal.addEventListener('abort', group.listener, { once: true });
  return group;
}
