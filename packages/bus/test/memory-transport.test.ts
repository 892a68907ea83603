import type { BusMessage } from '@tenterhook/protocol';
import { MemoryTransport, MessageBus } from '../src/index.js';
import { answered, deferred, request, settled, watch } from './watch.js';

const cancel = (correlationId: string): BusMessage => ({ type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId } });

describe('several buses on one transport are one bus', () => {
  function twoBuses() {
    const transport = new MemoryTransport();
    return { transport, asking: new MessageBus({ transport }), answering: new MessageBus({ transport, cancelGraceMs: 0 }) };
  }

  test('one asks, the other answers, and both see it', async () => {
    const { asking, answering } = twoBuses();
    answering.respond('HOOK_EXECUTION_REQUEST', answered);
    const seen = [watch(asking, 'HOOK_EXECUTION_RESPONSE'), watch(answering, 'HOOK_EXECUTION_RESPONSE')];
    const response = await asking.request('HOOK_EXECUTION_REQUEST', request);
    expect(response.success).toBe(true);
    expect(seen).toEqual([[response], [response]]);
    expect(asking.listenerCount('HOOK_EXECUTION_REQUEST')).toBe(0);
  });

  test('their responders take turns', async () => {
    const { asking, answering } = twoBuses();
    const called: string[] = [];
    for (const [name, bus] of Object.entries({ asking, answering })) {
      bus.respond('HOOK_EXECUTION_REQUEST', async () => {
        called.push(name);
        return { success: true };
      });
    }
    for (let count = 0; count < 4; count += 1) await asking.request('HOOK_EXECUTION_REQUEST', request);
    expect(called).toEqual(['asking', 'answering', 'asking', 'answering']);
  });

  test('an id in flight on one is in flight on the other', async () => {
    const { asking, answering } = twoBuses();
    const answer = deferred<{ success: true }>();
    answering.respond('HOOK_EXECUTION_REQUEST', () => answer.promise);
    const first = asking.request('HOOK_EXECUTION_REQUEST', { ...request, correlationId: 'a' });
    const second = await answering.request('HOOK_EXECUTION_REQUEST', { ...request, correlationId: 'a' });
    expect(second.error).toMatchObject({ code: 'invalid_request', details: { correlationId: 'a' } });
    answer.resolve({ success: true });
    expect((await first).success).toBe(true);
  });

  test('a timeout on one cancels the handler on the other', async () => {
    const { asking, answering } = twoBuses();
    answering.respond('HOOK_EXECUTION_REQUEST', (_payload, { signal }) => {
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          resolve({ success: false, error: { code: 'cancelled', message: 'stopped', details: { outcomes: [1] } } });
        });
      });
    });
    const response = await asking.request('HOOK_EXECUTION_REQUEST', request, { timeoutMs: 2 });
    expect(response.error).toMatchObject({ code: 'timeout', details: { outcomes: [1] } });
  });

  test('when the answering one closes, what it had is disposed, and what comes then has no responders', async () => {
    const { asking, answering } = twoBuses();
    answering.respond('HOOK_EXECUTION_REQUEST', () => new Promise(() => {}));
    const responses = watch(asking, 'HOOK_EXECUTION_RESPONSE');
    const pending = asking.request('HOOK_EXECUTION_REQUEST', request);
    await answering.close();
    expect((await pending).error?.code).toBe('disposed');
    expect((await asking.request('HOOK_EXECUTION_REQUEST', request)).error?.code).toBe('no_responders');
    expect(responses).toHaveLength(2);
  });

  test('when the asking one closes, its request is cancelled, and answered once', async () => {
    const { asking, answering } = twoBuses();
    answering.respond('HOOK_EXECUTION_REQUEST', (_payload, { signal }) => {
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          resolve({ success: false, error: { code: 'cancelled', message: signal.reason } });
        });
      });
    });
    const responses = watch(answering, 'HOOK_EXECUTION_RESPONSE');
    const pending = asking.request('HOOK_EXECUTION_REQUEST', request);
    await asking.close();
    expect((await pending).error?.code).toBe('disposed');
    await settled();
    expect(responses).toMatchObject([{ error: { code: 'cancelled', message: 'disposed' } }]);
  });

  test('a bus leaves a transport that it was given open', async () => {
    const { transport, asking } = twoBuses();
    await asking.close();
    expect(transport.publish(cancel('a'))).toBe('unserved');
  });
});

// What every transport promises is tried by the conformance suite of packages/testing. Here is what only this one does.
describe('the transport by itself', () => {
  const message: BusMessage = { type: 'HOOK_EXECUTION_REQUEST', payload: request };

  test('a message goes to every subscriber first, and then to one server', () => {
    const transport = new MemoryTransport();
    const seen: string[] = [];
    const stop = transport.serve('HOOK_EXECUTION_REQUEST', () => seen.push('server one'));
    transport.serve('HOOK_EXECUTION_REQUEST', () => seen.push('server two'));
    transport.subscribe('HOOK_EXECUTION_REQUEST', () => seen.push('subscriber'));
    expect([transport.publish(message), transport.publish(message)]).toEqual(['served', 'served']);
    stop();
    transport.publish(message);
    expect(seen).toEqual(['subscriber', 'server one', 'subscriber', 'server two', 'subscriber', 'server two']);
  });

  test('what is published during a delivery waits its turn, and its server is chosen then', async () => {
    const transport = new MemoryTransport();
    const served: BusMessage[] = [];
    const nested: unknown[] = [];
    const stop = transport.serve('HOOK_EXECUTION_REQUEST', (request) => served.push(request));
    transport.subscribe('HOOK_EXECUTION_CANCEL', () => {
      nested.push(transport.publish(message));
      stop();
    });
    transport.publish(cancel('a'));
    expect(await Promise.all(nested)).toEqual(['unserved']);
    expect(served).toEqual([]);
  });

  test('messages that each bring about the next do not overflow the stack', () => {
    const transport = new MemoryTransport();
    let count = 0;
    transport.subscribe('HOOK_EXECUTION_CANCEL', () => {
      count += 1;
      if (count < 10_000) void transport.publish(cancel(String(count)));
    });
    transport.publish(cancel('0'));
    expect(count).toBe(10_000);
  });

  test('after close() publishing rejects with disposed, waiting messages are dropped, and no listener is called', async () => {
    const transport = new MemoryTransport();
    const waiting: unknown[] = [];
    let calls = 0;
    transport.subscribe('HOOK_EXECUTION_CANCEL', () => {
      waiting.push(transport.publish(cancel('b')));
      void transport.close();
    });
    transport.subscribe('HOOK_EXECUTION_CANCEL', () => {
      calls += 1;
    });
    transport.publish(cancel('a'));
    await expect(waiting[0]).rejects.toMatchObject({ code: 'disposed' });
    await transport.close();
    await expect(transport.publish(cancel('c'))).rejects.toMatchObject({ code: 'disposed' });
    expect(calls).toBe(0);
  });

  test('keeps nothing of a route whose servers have gone', () => {
    const transport = new MemoryTransport();
    const message: BusMessage = { type: 'HOOK_HANDLER_CALL', payload: { engineId: 'a', hookId: 'h', event: {}, timeoutMs: 1000 } };
    const served: string[] = [];
    const stop = transport.serve('HOOK_HANDLER_CALL', () => served.push('first'), 'a');
    expect(transport.publish(message)).toBe('served');
    stop();
    stop();
    expect(transport.publish(message)).toBe('unserved');
    transport.serve('HOOK_HANDLER_CALL', () => served.push('second'), 'a');
    stop();
    expect(transport.publish(message)).toBe('served');
    expect(served).toEqual(['first', 'second']);
  });
});
