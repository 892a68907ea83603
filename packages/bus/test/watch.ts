import type { Channel, MessageOf, PayloadOf } from '@tenterhook/protocol';
import type { MessageBus } from '../src/index.js';

/** Everything a channel carried since the call, in order. */
export function watch<C extends Channel>(bus: MessageBus, channel: C): PayloadOf<C>[] {
  const payloads: PayloadOf<C>[] = [];
  bus.subscribe(channel, (message: MessageOf<C>) => payloads.push(message.payload as PayloadOf<C>));
  return payloads;
}

/** The promise jobs that are due, and those they bring about, are done. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

export const request = { eventName: 'BeforeTool', input: { tool_name: 'write_file' } };

/** A promise with its resolver outside: Node 20 has no Promise.withResolvers. */
export function deferred<Value>(): { promise: Promise<Value>; resolve: (value: Value) => void } {
  let resolve: (value: Value) => void = () => {};
  const promise = new Promise<Value>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** The handler of a test that is about the way of a request, not about its answer. */
export const answered = async () => ({ success: true as const });
