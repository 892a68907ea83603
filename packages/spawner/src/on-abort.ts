interface Subscription {
  readonly actions: Set<() => void>;
  readonly onAbort: () => void;
}

const subscriptions = new WeakMap<AbortSignal, Subscription>();

/**
 * Calls the action when the signal is aborted; the returned function takes it back. All jobs of one signal share one listener:
 * an event gives its signal to every hook, and from the eleventh listener on Node 20 warns of a leak.
 */
export function onAbort(signal: AbortSignal | undefined, action: () => void): () => void {
  if (signal === undefined) return () => {};
  const subscription = subscriptions.get(signal) ?? subscribe(signal);
  subscription.actions.add(action);
  return () => {
    subscription.actions.delete(action);
    if (subscription.actions.size > 0 || subscriptions.get(signal) !== subscription) return;
    signal.removeEventListener('abort', subscription.onAbort);
    subscriptions.delete(signal);
  };
}

function subscribe(signal: AbortSignal): Subscription {
  const actions = new Set<() => void>();
  const onAbort = (): void => {
    for (const action of actions) action();
  };
  const subscription = { actions, onAbort };
  subscriptions.set(signal, subscription);
  signal.addEventListener('abort', onAbort, { once: true });
  return subscription;
}
