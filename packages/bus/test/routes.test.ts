import type { BusMessage } from '@tenterhook/protocol';
import { MemoryTransport, MessageBus } from '../src/index.js';
import { answered, deferred, watch } from './watch.js';

const call = (engineId: string) => ({ engineId, hookId: 'h', event: {}, timeoutMs: 1000 });
const answer = (output: string) => () => ({ success: true as const, output });

describe('a routed channel', () => {
  test('a call goes to the responder that it names, and those of one route take turns', async () => {
    const bus = new MessageBus();
    const stop = bus.respond('HOOK_HANDLER_CALL', answer('a'), { route: 'a' });
    bus.respond('HOOK_HANDLER_CALL', answer('b'), { route: 'b' });
    bus.respond('HOOK_HANDLER_CALL', answer('a too'), { route: 'a' });
    const outputs: unknown[] = [];
    const ask = async (engineId: string) => outputs.push((await bus.request('HOOK_HANDLER_CALL', call(engineId))).output);
    for (const engineId of ['b', 'a', 'a', 'b', 'a']) await ask(engineId);
    stop();
    await ask('a');
    expect(outputs).toEqual(['b', 'a', 'a too', 'b', 'a', 'a too']);
  });

  test('everybody who watches sees the calls of every route', async () => {
    const bus = new MessageBus();
    bus.respond('HOOK_HANDLER_CALL', answered, { route: 'a' });
    const calls = watch(bus, 'HOOK_HANDLER_CALL');
    for (const engineId of ['a', 'b']) await bus.request('HOOK_HANDLER_CALL', call(engineId));
    expect(calls.map(({ engineId }) => engineId)).toEqual(['a', 'b']);
  });

  test('a call of a route that nobody serves has no responders, and the answer names the route', async () => {
    const bus = new MessageBus();
    bus.respond('HOOK_HANDLER_CALL', answered, { route: 'a' });
    expect((await bus.request('HOOK_HANDLER_CALL', call('gone'))).error).toEqual({
      code: 'no_responders',
      message: 'Nobody answers HOOK_HANDLER_CALL of the engineId "gone". Call bus.respond(\'HOOK_HANDLER_CALL\', …, { route }) before.',
    });
  });

  test.each([
    ['no field', {}, 'not undefined'],
    ['an empty one', { engineId: '' }, 'not ""'],
    ['a number', { engineId: 5 }, 'not 5'],
  ])('a call with %s as its route reaches nobody, and is answered under its own id', async (_, payload, message) => {
    const bus = new MessageBus();
    let calls = 0;
    bus.respond(
      'HOOK_HANDLER_CALL',
      () => {
        calls += 1;
        return { success: true };
      },
      { route: '5' },
    );
    const response = await bus.request('HOOK_HANDLER_CALL', { ...payload, correlationId: 'c' } as never);
    expect(response).toMatchObject({ correlationId: 'c', success: false, error: { code: 'invalid_request' } });
    expect(response.error?.message).toContain(`engineId must be a non-empty string, ${message}`);
    expect(calls).toBe(0);
  });

  test.each([undefined, '', 5])('a responder with the route %p is refused', (route) => {
    const bus = new MessageBus();
    const respond = () => bus.respond('HOOK_HANDLER_CALL', answered, { route: route as string });
    expect(respond).toThrow(TypeError);
    expect(respond).toThrow('route must be a non-empty string on HOOK_HANDLER_CALL');
  });
});

test('a route where any responder may answer is refused', () => {
  const bus = new MessageBus();
  const respond = () => bus.respond('HOOK_EXECUTION_REQUEST', answered, { route: 'a' });
  expect(respond).toThrow(new TypeError('HOOK_EXECUTION_REQUEST has no routes: any responder may answer; leave route out'));
});

test('a cancel finds the routed call', async () => {
  const bus = new MessageBus();
  const aborted = deferred<void>();
  bus.respond(
    'HOOK_HANDLER_CALL',
    (_payload, { signal }) => {
      signal.addEventListener('abort', () => aborted.resolve());
      return new Promise(() => {});
    },
    { route: 'a' },
  );
  const pending = bus.request('HOOK_HANDLER_CALL', call('a'), { timeoutMs: 5 });
  await aborted.promise;
  expect((await pending).error?.code).toBe('timeout');
});

test('the memory transport keeps nothing of a route whose servers have gone', () => {
  const transport = new MemoryTransport();
  const message: BusMessage = { type: 'HOOK_HANDLER_CALL', payload: call('a') };
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
