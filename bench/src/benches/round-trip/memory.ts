import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { MessageBus } from 'tenterhook';
import { type Asker, check, output, request } from './asker.js';
import { Callers } from './callers.js';

/** Requests on a bus in this process. */
export function busInMemory(options?: { readonly timeoutMs: number }): Asker {
  const bus = new MessageBus();
  bus.respond('HOOK_EXECUTION_REQUEST', async () => ({ success: true, output }), { maxInFlight: 4096 });
  return {
    ask: async () => check(await bus.request('HOOK_EXECUTION_REQUEST', request, options)),
    close: () => bus.close(),
  };
}

/** Requests with Node's EventEmitter, which have ids and a map of callers, and nothing else. */
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

/**
 * Requests with Node's EventEmitter and what a program needs: deadlines, ids that no other program has, an error if there is no responder
 * and if the responder throws. The ids have a random part and a counter, as those of the bus in memory, because a new random id for each
 * request would take longer.
 */
export function clientInMemory(): Asker {
  const emitter = new EventEmitter();
  const prefix = `${randomUUID()}-`;
  let last = 0;
  const callers = new Callers(() => {
    last += 1;
    return prefix + last;
  });
  const answer = async () => ({ success: true, output });
  emitter.on('request', async ({ id }: { readonly id: string }) => {
    try {
      emitter.emit('response', { id, answer: await answer() });
    } catch {
      emitter.emit('response', { id, answer: { success: false, error: { code: 'internal_error' } } });
    }
  });
  emitter.on('response', ({ id, answer }: { readonly id: string; readonly answer: Parameters<typeof check>[0] }) =>
    callers.settle(id, answer),
  );
  return {
    ask: async () => check(await callers.ask((id) => emitter.emit('request', { id, ...request }))),
    close: async () => void emitter.removeAllListeners(),
  };
}
