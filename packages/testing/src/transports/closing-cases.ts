import assert from 'node:assert/strict';
import { type ConformanceCase, toAnOuterEnd } from './conformance-case.js';
import { cancel, idsOf, outcomeOf, patient, request, settled, watch } from './conformance-watch.js';

/** The end of an end. */
export const closingCases: readonly ConformanceCase[] = [
  {
    title: 'close() is idempotent, no listener is called after it, and publish() rejects with disposed',
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
    title: 'close() inside a listener stops it and those behind it at once, and what was being published ends',
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
      // On another end the message may be on its way still.
      if (from !== to) await untilClosed(to);
      await patient(Promise.all(closed), 'close()');
      assert.deepEqual(await Promise.all(published), [{ code: 'disposed' }]);
      assert.deepEqual([calls, behind.items.length], [1, 0]);
    },
  },
  {
    title: 'close() works while publish() is blocked by a server that has not got its message yet',
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
    title: 'what an end published before it closed, and was told to be carried, arrives',
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
    title: 'closing an end that carries no others leaves them as they are',
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
];

async function untilClosed(end: { publish(message: ReturnType<typeof cancel>): unknown }): Promise<void> {
  for (;;) {
    const outcome = await outcomeOf(end.publish(cancel('is it closed?')) as never);
    if (typeof outcome === 'object' && outcome.code === 'disposed') return;
  }
}
