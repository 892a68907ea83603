import assert from 'node:assert/strict';
import type { MessageBus, RequestContext, Transport } from '@tenterhook/bus';
import type { HookExecutionRequest } from '@tenterhook/protocol';
import { asked, channel, responsesOf, unsupported, withBuses } from './bus-scene.js';
import { type ConformanceCase, toAnOuterEnd } from './conformance-case.js';
import { Inbox, patient, settled } from './conformance-watch.js';

/** Returns a handler that answers when its signal aborts. The answer has the reason of the abort. */
function untilAborted(_payload: HookExecutionRequest, { signal }: RequestContext) {
  return new Promise<ReturnType<typeof unsupported>>((resolve) => {
    signal.addEventListener('abort', () => resolve(unsupported(String(signal.reason), { outcomes: [1] })));
  });
}

export const busCases: readonly ConformanceCase[] = [
  withBuses('a request is answered, and both ends see one response', async ({ asking, answering, ends }) => {
    answering.respond(channel, ({ eventName }) => unsupported(eventName, {}));
    const seen = [responsesOf(asking), responsesOf(answering)];
    await settled(ends);
    const response = await patient(asking.request(channel, { ...asked, correlationId: 'a' }), 'the response');
    assert.deepEqual(response, { correlationId: 'a', ...unsupported('BeforeTool', {}) });
    await settled(ends);
    for (const responses of seen) assert.deepEqual(responses.items, [response]);
  }),

  withBuses(
    'a request without a responder is answered no_responders, both before a responder is added and after it was removed',
    async ({ asking, answering, ends }) => {
      const codes: unknown[] = [];
      const ask = async () => codes.push((await patient(asking.request(channel, asked), 'the response')).error?.code);
      await ask();
      const stop = answering.respond(channel, () => ({ success: true }));
      await settled(ends);
      await ask();
      stop();
      await settled(ends);
      await ask();
      assert.deepEqual(codes, ['no_responders', undefined, 'no_responders']);
    },
  ),

  withBuses('progress arrives in order, all of it before the response', async ({ asking, answering, ends }) => {
    answering.respond(channel, (_payload, { progress }) => {
      for (let skipped = 0; skipped < 100; skipped += 1) {
        progress({ kind: 'planned', eventName: 'BeforeTool', elapsedMs: 0, stages: [], skipped });
      }
      return { success: true };
    });
    await settled(ends);
    const seen: unknown[] = [];
    const messages = asking.requestStream(channel, asked);
    const done = new Promise<void>((complete) => {
      messages.subscribe({ next: ({ type, payload }) => seen.push('skipped' in payload ? payload.skipped : type), complete });
    });
    await patient(done, 'the end of the stream');
    assert.deepEqual(seen, [...Array(100).keys(), 'HOOK_EXECUTION_RESPONSE']);
  }),

  withBuses(
    'a timeout aborts the handler on the other end, and its answer still has the outcomes so far',
    async ({ asking, answering, ends }) => {
      answering.respond(channel, untilAborted);
      await settled(ends);
      const { error } = await patient(asking.request(channel, asked, { timeoutMs: 5 }), 'the response');
      assert.equal(error?.code, 'timeout');
      assert.deepEqual(error?.details, { outcomes: [1] });
    },
  ),

  withBuses('an aborted signal, and a cancel message, reach the handler on the other end', async ({ asking, answering, ends }) => {
    const running = new Inbox<string>();
    answering.respond(channel, (payload, context) => {
      running.push(payload.correlationId as string);
      return untilAborted(payload, context);
    });
    await settled(ends);
    const controller = new AbortController();
    const signalled = asking.request(channel, asked, { signal: controller.signal });
    await running.count(1, 'running handler');
    controller.abort();
    const { error } = await patient(signalled, 'the response');
    assert.deepEqual([error?.code, error?.details], ['cancelled', { outcomes: [1] }]);

    const cancelled = asking.request(channel, { ...asked, correlationId: 'c' });
    await running.count(2, 'running handlers');
    asking.publish({ type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId: 'c', reason: 'Esc' } });
    assert.equal((await patient(cancelled, 'the response')).error?.message, 'Esc');
  }),

  withBuses('of a thousand concurrent requests each way, each has its own answer and one response', async ({ asking, answering, ends }) => {
    const buses = [asking, answering];
    for (const [index, bus] of buses.entries()) {
      bus.respond('HOOK_HANDLER_CALL', ({ hookId }) => ({ success: true, output: `${hookId} at ${index}` }), { route: String(index) });
    }
    const seen = buses.map((bus) => responsesOf(bus, 'HOOK_HANDLER_RESULT'));
    await settled(ends);
    const ask = (bus: MessageBus, engineId: string) => {
      return Array.from({ length: 1000 }, (_, index) => {
        return bus.request('HOOK_HANDLER_CALL', { engineId, hookId: `h${index}`, event: {}, timeoutMs: 60_000 });
      });
    };
    const answers = await patient(Promise.all([...ask(asking, '1'), ...ask(answering, '0')]), 'the responses');
    for (const [index, { output }] of answers.entries()) assert.equal(output, `h${index % 1000} at ${index < 1000 ? 1 : 0}`);
    await settled(ends);
    const ids = answers.map(({ correlationId }) => correlationId);
    assert.equal(new Set(ids).size, 2000);
    for (const { items } of seen) assert.deepEqual(items.map(({ correlationId }) => correlationId).sort(), [...ids].sort());
  }),

  withBuses(
    'an id in use is refused under another id, and the request that has it is not affected',
    async ({ asking, answering, ends }) => {
      const running = new Inbox<() => void>();
      answering.respond(channel, () => new Promise((resolve) => running.push(() => resolve({ success: true }))));
      const responses = responsesOf(asking);
      await settled(ends);
      const first = asking.request(channel, { ...asked, correlationId: 'mine' });
      await running.count(1, 'running handler');
      asking.publish({ type: channel, payload: { ...asked, correlationId: 'mine' } });
      const [refused] = await responses.count(1, 'response');
      assert.deepEqual([refused?.error?.code, refused?.error?.details], ['invalid_request', { correlationId: 'mine' }]);
      assert.notEqual(refused?.correlationId, 'mine');
      running.items[0]?.();
      assert.deepEqual(await patient(first, 'the response'), { correlationId: 'mine', success: true });
    },
  ),

  withBuses('a malformed request has one response, invalid_request', async ({ asking, answering, ends }) => {
    answering.respond(channel, () => ({ success: true }));
    const responses = responsesOf(asking);
    await settled(ends);
    const payloads = [null, undefined, [], { ...asked, correlationId: 5 }, { ...asked, correlationId: '' }];
    for (const payload of payloads) asking.publish({ type: channel, payload } as never);
    await responses.count(payloads.length, 'responses');
    await settled(ends);
    assert.deepEqual(new Set(responses.items.map(({ error }) => error?.code)), new Set(['invalid_request']));
    assert.equal(responses.items.length, payloads.length);
  }),

  withBuses(
    'if the answering bus closes while requests are on their way, each has exactly one response',
    async ({ asking, answering, ends }) => closeMidway(asking, answering, () => answering.close(), ends),
  ),

  withBuses(
    'if the answering bus and its end close while requests are on their way, each has exactly one response',
    async ({ asking, answering, to, ends }) => {
      const close = async () => {
        await answering.close();
        await to.close();
      };
      await closeMidway(
        asking,
        answering,
        close,
        ends,
        ends.filter((end) => end !== to),
      );
    },
    toAnOuterEnd,
  ),
];

/**
 * Sends a hundred requests. When the tenth request arrives, the answering bus closes. Half of the first ten requests are then
 * unanswered. `left` are the ends that stay open.
 */
async function closeMidway(asking: MessageBus, answering: MessageBus, close: () => Promise<void>, all: readonly Transport[], left = all) {
  let count = 0;
  let closed: Promise<void> | undefined;
  answering.respond(channel, () => {
    count += 1;
    if (count === 10) closed = close();
    return count % 2 === 0 ? { success: true } : new Promise(() => {});
  });
  const responses = responsesOf(asking);
  await settled(all);
  const answers = await patient(Promise.all(Array.from({ length: 100 }, () => asking.request(channel, asked))), 'the responses');
  await closed;
  await settled(left);
  const codes = new Set(answers.map(({ error }) => error?.code));
  assert.ok(codes.has('disposed') && codes.has('no_responders'), [...codes].join());
  assert.deepEqual(
    [...codes].filter((code) => code !== undefined && code !== 'disposed' && code !== 'no_responders'),
    [],
  );
  const ids = answers.map(({ correlationId }) => correlationId);
  const seen = responses.items.map(({ correlationId }) => correlationId).filter((id) => ids.includes(id));
  assert.deepEqual(seen.sort(), ids.sort());
}
