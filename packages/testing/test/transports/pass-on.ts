import type { Transport } from '@tenterhook/bus';

/** Wraps a transport. Tests replace some methods of the wrapper to break them. */
export function passOn(inner: Transport): Transport {
  return {
    name: 'passed on',
    publish: (message, timeoutMs) => inner.publish(message, timeoutMs),
    subscribe: (channel, listener, scope) => inner.subscribe(channel, listener, scope),
    serve: (channel, listener, route) => inner.serve(channel, listener, route),
    ...(inner.isSubscribed === undefined ? {} : { isSubscribed: (channel) => inner.isSubscribed?.(channel) === true }),
    ...(inner.onConnectionChange === undefined ? {} : { onConnectionChange: inner.onConnectionChange.bind(inner) }),
    close: () => inner.close(),
  };
}
