import { type ConnectionState, type Delivery, MemoryTransport, type Transport } from '../src/index.js';

/** A memory transport whose publish() is another, and whose connection a test loses. */
export function transportWith(
  publish: (inner: MemoryTransport, message: Parameters<Transport['publish']>[0]) => Delivery | Promise<Delivery>,
) {
  const inner = new MemoryTransport();
  const listeners: ((state: ConnectionState) => void)[] = [];
  return {
    name: 'slow',
    publish: (message) => publish(inner, message),
    subscribe: (channel, listener) => inner.subscribe(channel, listener),
    serve: (channel, listener, route) => inner.serve(channel, listener, route),
    close: () => inner.close(),
    onConnectionChange: (listener) => {
      listeners.push(listener);
      return () => void listeners.splice(listeners.indexOf(listener), 1);
    },
    tell: (state: ConnectionState) => {
      for (const listener of [...listeners]) listener(state);
    },
    listeners,
  } satisfies Transport & { tell: (state: ConnectionState) => void; listeners: unknown[] };
}

export function failing(code: string): Promise<Delivery> {
  return Promise.reject(Object.assign(new Error(`it was ${code}`), { code }));
}
