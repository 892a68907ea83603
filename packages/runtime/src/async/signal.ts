import { Cancellation } from './cancellation.js';

/** What can be cancelled: by a signal, or without one. */
export type Abortable = AbortSignal | Cancellation;

/** Returns what to follow: the cancellation from which a signal would be created, if there is one. */
export function abortableOf(source: { readonly signal: AbortSignal; readonly cancellation?: unknown }): Abortable {
  return source.cancellation instanceof Cancellation ? source.cancellation : source.signal;
}

/** Returns the signal for code outside of this repository. */
export function signalOf(abortable: Abortable): AbortSignal {
  return abortable instanceof Cancellation ? abortable.signal : abortable;
}

/** The callbacks of one signal, and the one listener that calls them. */
interface Group {
  readonly callbacks: Set<() => void>;
  readonly listener: () => void;
}

const groups = new WeakMap<AbortSignal, Group>();

/**
 * Calls `callback` when the signal aborts. Call the returned function to remove the callback. All callbacks of a signal share one
 * listener. Node warns of a leak if a signal has many listeners, and an agent may use one signal for many requests (field failure 81).
 */
export function onAbort(signal: Abortable, callback: () => void): () => void {
  if (signal instanceof Cancellation) return signal.onAbort(callback);
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

/**
 * A cancel that follows another one: it aborts when the other aborts, with the same reason, or when `abort` is called. `AbortSignal.any()`
 * was rejected: on Node 20 it never removes its listeners from the other signal.
 */
export class LinkedSignal extends Cancellation {
  #stopFollowing: (() => void) | undefined;

  constructor(followed: Abortable) {
    super();
    this.follow(followed);
  }

  /** Follows this one from now on, and no longer follows the previous one. */
  follow(followed: Abortable): void {
    this.release();
    if (followed.aborted) this.abort(followed.reason);
    else this.#stopFollowing = onAbort(followed, () => this.abort(followed.reason));
  }

  /** Removes the listener from what is followed. Without this, a followed signal that lives longer would keep this object in memory. */
  release(): void {
    this.#stopFollowing?.();
    this.#stopFollowing = undefined;
  }
}
