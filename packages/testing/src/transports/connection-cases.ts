import assert from 'node:assert/strict';
import { type ConnectionState, MessageBus } from '@tenterhook/bus';
import { type ConformanceCase, toAnEndThatIsCutOff, toAnOuterEnd } from './conformance-case.js';
import { call, cancel, cutOff, Inbox, idsOf, outcomeOf, patient, request, settled, watch } from './conformance-watch.js';

const channel = 'HOOK_EXECUTION_REQUEST';
const asked = { eventName: 'BeforeTool', input: {} };

/** Cases in which an end closes, or in which the end `to` loses its connection and restores it. */
export const connectionCases: readonly ConformanceCase[] = [
  {
    title: 'close() may be called twice, no listener is called after it, and publish() rejects with disposed',
    run: async ({ from, to, ends }) => {
      const inbox = watch(to, 'HOOK_EXECUTION_CANCEL');
      to.serve('HOOK_EXECUTION_REQUEST', inbox.push);
      await settled(ends);
      await patient(Promise.all([to.close(), to.close()]), 'close()');
      await patient(to.close(), 'a third close()');
      assert.deepEqual(await outcomeOf(to.publish(cancel('a'))), { code: 'disposed' });
      const outcome = await outcomeOf(from.publish(request('b')));
      assert.notEqual(outcome, 'served');
      assert.deepEqual(inbox.items, []);
      const stops = [to.subscribe('HOOK_EXECUTION_CANCEL', inbox.push), to.serve('HOOK_EXECUTION_REQUEST', inbox.push)];
      for (const stop of stops) stop();
    },
  },
  {
    title: 'close() inside a listener stops this listener and the following listeners at once, and pending publications end',
    run: async ({ from, to, ends }) => {
      const closed: Promise<void>[] = [];
      const published: Promise<unknown>[] = [];
      let calls = 0;
      to.subscribe('HOOK_EXECUTION_CANCEL', () => {
        calls += 1;
        published.push(outcomeOf(to.publish(cancel('from inside'))));
        closed.push(to.close());
      });
      const behind = watch(to, 'HOOK_EXECUTION_CANCEL');
      await settled(ends);
      const outcomes = await Promise.all(['a', 'b', 'c'].map((id) => outcomeOf(from.publish(cancel(id)))));
      assert.ok(outcomes.every((outcome) => outcome === 'unserved' || typeof outcome === 'object'));
      // The message may still be on its way to another end.
      if (from !== to) await untilClosed(to);
      await patient(Promise.all(closed), 'close()');
      assert.deepEqual(await Promise.all(published), [{ code: 'disposed' }]);
      assert.deepEqual([calls, behind.items.length], [1, 0]);
    },
  },
  {
    title: 'close() works while publish() is blocked by a server that has not received its message yet',
    run: async ({ from, to, ends }) => {
      to.serve('HOOK_EXECUTION_REQUEST', () => new Promise(() => {}));
      await settled(ends);
      const outcomes = Array.from({ length: 100 }, (_, index) => outcomeOf(from.publish(request(String(index)))));
      await patient(from.close(), 'close()');
      for (const outcome of await Promise.all(outcomes)) {
        assert.ok(outcome === 'served' || (typeof outcome === 'object' && outcome.code === 'disposed'), JSON.stringify(outcome));
      }
    },
  },
  {
    title: 'a message arrives if its publication was confirmed before its end closed',
    run: async ({ from, to, ends }) => {
      const inbox = watch(to, 'HOOK_EXECUTION_CANCEL');
      await settled(ends);
      const ids = Array.from({ length: 200 }, (_, index) => String(index));
      await Promise.all(ids.map((id) => from.publish(cancel(id))));
      await from.close();
      assert.deepEqual(idsOf(await inbox.count(200, 'messages')), ids);
    },
  },
  {
    title: 'closing an end on which no other depends does not affect the others',
    appliesTo: toAnOuterEnd,
    run: async ({ from, to, ends }) => {
      const others = ends.filter((end) => end !== to);
      const inboxes = others.map((end) => watch(end, 'HOOK_EXECUTION_CANCEL'));
      await settled(ends);
      await to.close();
      assert.equal(await outcomeOf(from.publish(cancel('a'))), 'unserved');
      for (const inbox of inboxes) assert.deepEqual(idsOf(await inbox.count(1, 'message')), ['a']);
    },
  },
  {
    title: 'an end that is cut off reports lost, and restored when its current subscriptions and servers are in force again',
    appliesTo: toAnEndThatIsCutOff,
    run: async ({ from, to, ends, features }) => {
      const seen = watch(to, 'HOOK_EXECUTION_CANCEL');
      const served = new Inbox();
      to.serve(channel, served.push);
      const stop = to.serve('HOOK_HANDLER_CALL', served.push, 'stopped meanwhile');
      await settled(ends);
      const { comeBack } = await cutOff(to, features);
      stop();
      to.serve('HOOK_HANDLER_CALL', served.push, 'served meanwhile');
      const seenMeanwhile = watch(to, 'HOOK_HANDLER_CALL');
      await comeBack();
      const messages = [request('a'), call('stopped meanwhile', 'b'), call('served meanwhile', 'c'), cancel('d')];
      const outcomes = [];
      for (const message of messages) outcomes.push(await outcomeOf(from.publish(message)));
      assert.deepEqual(outcomes, ['served', 'unserved', 'served', 'unserved'], 'the servers are not restored to their last state');
      await settled(ends);
      assert.deepEqual(
        [served, seen, seenMeanwhile].map(({ items }) => idsOf(items)),
        [['a', 'c'], ['d'], ['b', 'c']],
        'received messages',
      );
    },
  },
  {
    title: 'a publication at an end that is cut off is rejected as disconnected and reaches no end; the others continue without it',
    appliesTo: toAnEndThatIsCutOff,
    run: async ({ from, to, ends, features }) => {
      const inboxes = [watch(from, 'HOOK_EXECUTION_CANCEL'), watch(to, 'HOOK_EXECUTION_CANCEL')];
      to.serve(channel, () => {});
      await settled(ends);
      const { comeBack } = await cutOff(to, features);
      assert.deepEqual(await outcomeOf(to.publish(cancel('lost'))), { code: 'disconnected' });
      // The centre may notice the loss later than the end, and send the request to it. Then it is not confirmed.
      const ofOthers = await outcomeOf(from.publish(request('of others')));
      if (ofOthers !== 'unserved') assert.deepEqual(ofOthers, { code: 'disconnected' });
      await outcomeOf(from.publish(cancel('of others')));
      await comeBack();
      await outcomeOf(to.publish(cancel('back')));
      await settled(ends);
      for (const inbox of inboxes) {
        const ids = idsOf(inbox.items);
        assert.ok(!ids.includes('lost') && ids.at(-1) === 'back', `a rejected message was delivered, or a later message was not: ${ids}`);
      }
    },
  },
  {
    title: 'a message that an end published before it was cut off is served once, or its publish() rejects because the delivery is unknown',
    appliesTo: toAnEndThatIsCutOff,
    run: async ({ from, to, ends, features }) => {
      const served = new Inbox();
      from.serve(channel, served.push);
      await settled(ends);
      const publish = (name: string) => Array.from({ length: 100 }, (_, index) => outcomeOf(to.publish(request(`${name}${index}`))));
      const outcomes = publish('a');
      // At this point some messages are confirmed, and others are still on their way in both directions.
      await outcomes[0];
      outcomes.push(...publish('b'));
      const { comeBack } = await cutOff(to, features);
      const codes = (await Promise.all(outcomes)).map((outcome) => (typeof outcome === 'string' ? outcome : outcome.code));
      const others = codes.filter((code) => code !== 'served' && code !== 'disconnected');
      assert.deepEqual(others, [], 'there was a server all the time');
      await comeBack();
      await settled(ends);
      const ids = idsOf(served.items);
      assert.equal(new Set(ids).size, ids.length, 'a message was served twice');
      const confirmed = codes.flatMap((code, index) => (code === 'served' ? [`${index < 100 ? 'a' : 'b'}${index % 100}`] : []));
      assert.deepEqual(
        confirmed.filter((id) => !ids.includes(id)),
        [],
        'a message that was confirmed as served was not served',
      );
    },
  },
  {
    title: 'a throwing listener of the connection affects no other, and one that was removed, or whose end has closed, is not called',
    appliesTo: toAnEndThatIsCutOff,
    run: async ({ to, ends, features }) => {
      to.onConnectionChange?.(() => {
        throw new Error('thrown by a listener on purpose');
      });
      const reported: ConnectionState[] = [];
      const stop = to.onConnectionChange?.((state) => reported.push(state));
      stop?.();
      await settled(ends);
      const { comeBack, states } = await cutOff(to, features);
      await comeBack();
      const { reconnect } = await cutOff(to, features);
      await patient(to.close(), 'close()');
      reconnect();
      assert.deepEqual(await outcomeOf(to.publish(cancel('a'))), { code: 'disposed' });
      await settled(ends.filter((end) => end !== to));
      assert.deepEqual([states.items, reported], [['lost', 'restored', 'lost'], []], 'reported states');
    },
  },
  {
    title:
      'when a bus is cut off, its requests end as disposed unless they are answered on its own end, and are answered again when it is back',
    appliesTo: toAnEndThatIsCutOff,
    run: async ({ from, to, ends, features }) => {
      const buses = [from, to].map((transport) => new MessageBus({ transport, cancelGraceMs: 10_000 })) as [MessageBus, MessageBus];
      const [elsewhere, asking] = buses;
      try {
        const running = new Inbox<() => void>();
        const wait = () => new Promise<{ success: true }>((resolve) => running.push(() => resolve({ success: true })));
        elsewhere.respond(channel, wait);
        asking.respond('HOOK_HANDLER_CALL', wait, { route: 'own' });
        await settled(ends);
        const waiting = asking.request(channel, asked);
        const own = asking.request('HOOK_HANDLER_CALL', { engineId: 'own', hookId: 'h', event: {}, timeoutMs: 60_000 });
        await running.count(2, 'running handlers');
        const { comeBack } = await cutOff(to, features);
        const still = new Promise<undefined>((resolve) => setImmediate(() => resolve(undefined)));
        assert.equal((await Promise.race([waiting, still]))?.error?.code, 'disposed', 'a request did not end when the connection was lost');
        assert.equal((await patient(asking.request(channel, asked), 'the response')).error?.code, 'disposed', 'a request sent meanwhile');
        for (const answer of running.items) answer();
        const { error } = await patient(own, 'the response of its own end');
        assert.deepEqual(error, undefined, 'a request that its own end answers');
        await comeBack();
        const again = asking.request(channel, asked);
        (await running.count(3, 'running handlers'))[2]?.();
        assert.equal((await patient(again, 'the response')).success, true, 'a request after that');
      } finally {
        await Promise.all(buses.map((bus) => bus.close()));
      }
    },
  },
];

async function untilClosed(end: { publish(message: ReturnType<typeof cancel>): unknown }): Promise<void> {
  for (;;) {
    const outcome = await outcomeOf(end.publish(cancel('is it closed?')) as never);
    if (typeof outcome === 'object' && outcome.code === 'disposed') return;
  }
}
