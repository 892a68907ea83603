import assert from 'node:assert/strict';
import { MessageBus, type Transport } from '@tenterhook/bus';
import type { BusMessage, HookExecutionRequest } from '@tenterhook/protocol';
import { asked, channel, responsesOf, unsupported, withBuses } from './bus-scene.js';
import { type ConformanceCase, type Scene, toAnotherProcess } from './conformance-case.js';
import { cancel, Inbox, idOf, idsOf, outcomeOf, patient, request, settled, watch } from './conformance-watch.js';

const response = (correlationId: string, message = ''): BusMessage => ({
  type: 'HOOK_EXECUTION_RESPONSE',
  payload: { correlationId, ...unsupported(message, {}) },
});

const planned = (skipped: number) => ({ kind: 'planned' as const, eventName: 'BeforeTool', elapsedMs: 0, stages: [], skipped });

/** Cases about the messages of one request: which answer belongs to it, who may answer or cancel it, and what comes late. */
export const exchangeCases: readonly ConformanceCase[] = [
  withBuses('answers in another order than their requests each settle their own request', async ({ asking, answering, ends }) => {
    const answers: (() => void)[] = [];
    answering.respond(channel, ({ correlationId }) => {
      return new Promise((resolve) => {
        answers.push(() => resolve(unsupported(String(correlationId), {})));
        if (answers.length === 50) for (const answer of answers.reverse()) answer();
      });
    });
    await settled(ends);
    const asking50 = Array.from({ length: 50 }, (_, index) => asking.request(channel, { ...asked, correlationId: `r${index}` }));
    const settledWith = await patient(Promise.all(asking50), 'the responses');
    assert.deepEqual(
      settledWith.map(({ correlationId, error }) => [correlationId, error?.message]),
      Array.from({ length: 50 }, (_, index) => [`r${index}`, `r${index}`]),
    );
  }),

  withBuses(
    'an answer that comes after the requester has stopped waiting arrives once at both ends, and settles no later request',
    async ({ from, answering, ends }) => {
      const impatient = new MessageBus({ transport: from, cancelGraceMs: 0 });
      try {
        const running = new Inbox<(message: string) => void>();
        answering.respond(channel, () => new Promise((resolve) => running.push((message) => resolve(unsupported(message, {})))));
        const seen = [responsesOf(impatient), responsesOf(answering)];
        await settled(ends);
        const { error } = await patient(impatient.request(channel, asked, { timeoutMs: 1 }), 'the timeout');
        assert.equal(error?.code, 'timeout');
        await running.count(1, 'running handler');
        const second = impatient.request(channel, asked);
        await running.count(2, 'running handlers');
        running.items[0]?.('late');
        for (const responses of seen) await responses.count(1, 'response');
        running.items[1]?.('in time');
        assert.equal((await patient(second, 'the response')).error?.message, 'in time');
        await settled(ends);
        for (const { items } of seen) {
          assert.deepEqual(
            items.map((item) => item.error?.message),
            ['late', 'in time'],
          );
        }
      } finally {
        await impatient.close();
      }
    },
  ),

  withBuses('progress that is published after the answer arrives', async ({ asking, answering, ends }) => {
    const later = new Inbox<() => void>();
    answering.respond(channel, (_payload, { progress }) => {
      later.push(() => progress(planned(7)));
      return { success: true };
    });
    const seen = new Inbox<unknown>();
    asking.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload }) => seen.push('skipped' in payload && payload.skipped));
    await settled(ends);
    await patient(asking.request(channel, asked), 'the response');
    later.items[0]?.();
    assert.deepEqual(await seen.count(1, 'progress message'), [7]);
    await settled(ends);
    assert.equal(seen.items.length, 1);
  }),

  withBuses(
    'when a cancel races the answer, each request has exactly one response, which is the answer or the cancel',
    async ({ asking, answering, ends }) => {
      const running = new Inbox<string>();
      answering.respond(channel, ({ correlationId }) => {
        running.push(correlationId as string);
        return new Promise((resolve) => setImmediate(() => resolve({ success: true })));
      });
      const seen = [responsesOf(asking), responsesOf(answering)];
      await settled(ends);
      const requests = Array.from({ length: 200 }, () => {
        const controller = new AbortController();
        return { controller, answer: asking.request(channel, asked, { signal: controller.signal }) };
      });
      await running.count(20, 'running handlers');
      for (const { controller } of requests) controller.abort();
      const answers = await patient(Promise.all(requests.map(({ answer }) => answer)), 'the responses');
      assert.deepEqual(
        answers.filter(({ success, error }) => !success && error?.code !== 'cancelled'),
        [],
      );
      await running.count(200, 'running handlers');
      await settled(ends);
      const ids = answers.map(({ correlationId }) => correlationId).sort();
      for (const { items } of seen) assert.deepEqual(items.map(({ correlationId }) => correlationId).sort(), ids);
    },
  ),

  withBuses(
    'an answer of an end that did not receive the request, and a cancel of an end that did not make it, have no effect',
    async (scene) => {
      const { asking, answering, ends } = scene;
      const running = new Inbox<{ readonly signal: AbortSignal; readonly answer: () => void }>();
      answering.respond(channel, (_payload: HookExecutionRequest, { signal }) => {
        return new Promise((resolve) => running.push({ signal, answer: () => resolve(unsupported('the answer', {})) }));
      });
      await settled(ends);
      const answer = asking.request(channel, { ...asked, correlationId: 'a' });
      const [run] = await running.count(1, 'running handler');
      for (const stranger of strangers(scene)) {
        await outcomeOf(stranger.publish(response('a', 'forged')));
        await outcomeOf(stranger.publish(cancel('a')));
        const forged = { correlationId: 'a', ...planned(1) };
        await outcomeOf(stranger.publish({ type: 'HOOK_EXECUTION_PROGRESS', payload: forged }));
      }
      await settled(ends);
      assert.equal(run?.signal.aborted, false, 'a stranger cancelled the request');
      run?.answer();
      assert.equal((await patient(answer, 'the response')).error?.message, 'the answer');
    },
    (direction, features) => toAnotherProcess(direction, features),
  ),

  {
    title: 'a second answer to a request has no effect',
    appliesTo: toAnotherProcess,
    run: async ({ from, to, ends }) => {
      const bus = new MessageBus({ transport: from });
      try {
        to.serve(channel, (message) => {
          for (const text of ['first', 'second']) void outcomeOf(to.publish(response(idOf(message), text)));
        });
        await settled(ends);
        for (const correlationId of ['a', 'b']) {
          const { error } = await patient(bus.request(channel, { ...asked, correlationId }), 'the response');
          assert.equal(error?.message, 'first');
        }
      } finally {
        await bus.close();
      }
    },
  },

  {
    title:
      'a listener of addressed messages receives the answer and the progress of its own request, and the cancel of a request it serves',
    run: async ({ from, to, ends }) => {
      const answers = new Inbox();
      for (const type of ['HOOK_EXECUTION_RESPONSE', 'HOOK_EXECUTION_PROGRESS'] as const) from.subscribe(type, answers.push, 'addressed');
      const cancels = new Inbox();
      to.subscribe('HOOK_EXECUTION_CANCEL', cancels.push, 'addressed');
      const served = new Inbox();
      to.serve(channel, served.push);
      await settled(ends);
      assert.equal(await outcomeOf(from.publish(request('a'))), 'served');
      await served.count(1, 'request');
      await from.publish(cancel('a'));
      assert.deepEqual(idsOf(await cancels.count(1, 'cancel')), ['a']);
      await to.publish({ type: 'HOOK_EXECUTION_PROGRESS', payload: { correlationId: 'a', ...planned(0) } });
      await to.publish(response('a'));
      await answers.count(2, 'messages');
      await settled(ends);
      assert.deepEqual(
        answers.items.map(({ type }) => type),
        ['HOOK_EXECUTION_PROGRESS', 'HOOK_EXECUTION_RESPONSE'],
      );
      assert.equal(cancels.items.length, 1);
    },
  },

  {
    title: 'requests with unusual ids and event names are served and answered',
    run: async ({ from, to, ends }) => {
      const bus = new MessageBus({ transport: from });
      try {
        to.serve(channel, (message) => void outcomeOf(to.publish(response(idOf(message), 'answered'))));
        await settled(ends);
        for (const text of ['a.b.*.>', 'a b\tc\r\nd', '日本語 🦀', '\ud800', 'x'.repeat(1024)]) {
          const asking = { eventName: text, input: {}, correlationId: text };
          const { error, correlationId } = await patient(bus.request(channel, asking as never), 'the response');
          assert.deepEqual([error?.message, correlationId], ['answered', text]);
        }
        const seen = watch(from, channel);
        await outcomeOf(from.publish({ type: channel, payload: { eventName: '', input: {}, correlationId: 'empty' } }));
        assert.deepEqual(idsOf(await seen.count(1, 'message')), ['empty']);
      } finally {
        await bus.close();
      }
    },
  },
];

/** The ends that neither made nor received the request of a scene. */
function strangers({ from, to, ends }: Scene): Transport[] {
  return ends.filter((end) => end !== from && end !== to);
}
