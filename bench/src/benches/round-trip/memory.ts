import { EventEmitter } from 'node:events';
import { MessageBus } from 'tenterhook';
import { type Asker, check, output, request } from './asker.js';

/** Requests on a bus in this process. */
export function busInMemory(): Asker {
  const bus = new MessageBus();
  bus.respond('HOOK_EXECUTION_REQUEST', async () => ({ success: true, output }), { maxInFlight: 4096 });
  return {
    ask: async () => check(await bus.request('HOOK_EXECUTION_REQUEST', request)),
    close: () => bus.close(),
  };
}

/** Requests with Node's EventEmitter, which have ids and a map of callers, as a program without a library would write them. */
export function emitterInMemory(): Asker {
  const emitter = new EventEmitter();
  const waiting = new Map<number, (answer: Parameters<typeof check>[0]) => void>();
  let last = 0;
  emitter.on('request', async ({ id }: { readonly id: number }) => {
    const answer = await Promise.resolve({ success: true, output });
    emitter.emit('response', { id, answer });
  });
  emitter.on('response', ({ id, answer }: { readonly id: number; readonly answer: Parameters<typeof check>[0] }) => {
    waiting.get(id)?.(answer);
    waiting.delete(id);
  });
  return {
    ask: async () => {
      last += 1;
      const id = last;
      check(
        await new Promise((resolve) => {
          waiting.set(id, resolve);
          emitter.emit('request', { id, ...request });
        }),
      );
    },
    close: async () => void emitter.removeAllListeners(),
  };
}
