import assert from 'node:assert/strict';
import type { ConformanceCase } from './conformance-case.js';
import { call, Inbox, idOf, idsOf, outcomeOf, request, settled, watch } from './conformance-watch.js';

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `r${index}`);

/** Cases about which server receives a message, and which delivery its publisher receives. */
export const servingCases: readonly ConformanceCase[] = [
  {
    title: 'each message goes to exactly one server, and servers on all ends take turns',
    run: async ({ from, to, ends, features: { takesTurns = true } }) => {
      const inboxes = [from, to, to].map((end) => {
        const inbox = new Inbox();
        end.serve('HOOK_EXECUTION_REQUEST', inbox.push);
        return inbox;
      });
      await settled(ends);
      const ids = numbered(30);
      assert.deepEqual(new Set(await Promise.all(ids.map((id) => outcomeOf(from.publish(request(id)))))), new Set(['served']));
      const counts = inboxes.map(({ items }) => items.length) as [number, number, number];
      if (takesTurns || from === to) assert.deepEqual(counts, [10, 10, 10]);
      // Chosen at random, an end without any message is as unlikely as one in half a billion.
      else assert.ok(counts[0] > 0 && Math.abs(counts[1] - counts[2]) <= 1, `received messages: ${counts}`);
      assert.deepEqual(inboxes.flatMap(({ items }) => idsOf(items)).sort(), [...ids].sort());
    },
  },
  {
    title: 'subscribers also see a request, once, whichever server gets it, and a server is not a subscriber',
    run: async ({ from, to, ends }) => {
      const inboxes = ends.map((end) => watch(end, 'HOOK_EXECUTION_REQUEST'));
      const served = new Inbox();
      to.serve('HOOK_EXECUTION_REQUEST', served.push);
      await settled(ends);
      assert.equal(await outcomeOf(from.publish(request('a'))), 'served');
      for (const inbox of [...inboxes, served]) assert.deepEqual(idsOf(await inbox.count(1, 'message')), ['a']);
      await settled(ends);
      for (const inbox of [...inboxes, served]) assert.equal(inbox.items.length, 1);
    },
  },
  {
    title: 'a message of a routed channel goes to a server of its route, all subscribers see it, and one without a route reaches no server',
    run: async ({ from, to, ends }) => {
      const served = new Inbox<string>();
      to.serve('HOOK_HANDLER_CALL', (message) => served.push(`a at to: ${idOf(message)}`), 'a');
      // Both servers of the route `b` are at one end, because a transport may reserve a route for the end that serves it first.
      from.serve('HOOK_HANDLER_CALL', (message) => served.push(`b1 at from: ${idOf(message)}`), 'b');
      from.serve('HOOK_HANDLER_CALL', (message) => served.push(`b2 at from: ${idOf(message)}`), 'b');
      const inbox = watch(to, 'HOOK_HANDLER_CALL');
      await settled(ends);
      const outcomes: unknown[] = [];
      const malformed = [{ ...call('', '6') }, { type: 'HOOK_HANDLER_CALL', payload: null }, { type: 'HOOK_HANDLER_CALL', payload: {} }];
      const messages = [call('a', '1'), call('b', '2'), call('b', '3'), call('c', '4'), call('a', '5'), ...malformed];
      for (const message of messages) outcomes.push(await outcomeOf(from.publish(message as never)));
      assert.deepEqual(outcomes, ['served', 'served', 'served', 'unserved', 'served', 'unserved', 'unserved', 'unserved']);
      // The contract does not promise which of two servers receives the first message.
      const [b, otherB] = served.items.includes('b1 at from: 2') ? ['b1 at from', 'b2 at from'] : ['b2 at from', 'b1 at from'];
      assert.deepEqual(await served.count(4, 'calls'), ['a at to: 1', `${b}: 2`, `${otherB}: 3`, 'a at to: 5']);
      assert.equal((await inbox.count(8, 'messages')).length, 8);
    },
  },
  {
    title: 'a message is unserved if there are only subscribers, and if its server has gone',
    run: async ({ from, to, ends }) => {
      watch(to, 'HOOK_EXECUTION_REQUEST');
      const served = new Inbox();
      await settled(ends);
      assert.equal(await outcomeOf(from.publish(request('before'))), 'unserved');
      const stop = to.serve('HOOK_EXECUTION_REQUEST', served.push);
      const stopRouted = to.serve('HOOK_HANDLER_CALL', served.push, 'a');
      await settled(ends);
      assert.equal(await outcomeOf(from.publish(request('with'))), 'served');
      assert.equal(await outcomeOf(from.publish(call('a', 'routed'))), 'served');
      for (const end of [stop, stopRouted, stop]) end();
      await settled(ends);
      assert.equal(await outcomeOf(from.publish(request('after'))), 'unserved');
      assert.equal(await outcomeOf(from.publish(call('a', 'after it'))), 'unserved');
      assert.deepEqual(idsOf(served.items), ['with', 'routed']);
    },
  },
  {
    title: 'serve() applies to the next message that the same end publishes, and no longer to the one after it was stopped',
    run: async ({ from }) => {
      for (const id of numbered(50)) {
        const stop = from.serve('HOOK_EXECUTION_REQUEST', () => {});
        const outcome = outcomeOf(from.publish(request(id)));
        assert.equal(await outcome, 'served');
        stop();
        assert.equal(await outcomeOf(from.publish(request(`${id} again`))), 'unserved');
      }
    },
  },
  {
    title:
      'a server that stops while messages are on their way gets nothing more, and each message is served or unserved, never both or neither',
    run: async ({ from, to, ends }) => {
      const served = new Inbox();
      const stop = to.serve('HOOK_EXECUTION_REQUEST', (message) => {
        served.push(message);
        if (served.items.length === 10) stop();
      });
      await settled(ends);
      const ids = numbered(100);
      const outcomes = await Promise.all(ids.map((id) => outcomeOf(from.publish(request(id)))));
      assert.deepEqual(idsOf(served.items), numbered(10));
      assert.deepEqual(outcomes, [...Array(10).fill('served'), ...Array(90).fill('unserved')]);
    },
  },
  {
    title: 'messages that a stopped server did not receive go to the next one',
    run: async ({ from, to, ends }) => {
      const served = [new Inbox(), new Inbox()] as const;
      const stop = to.serve('HOOK_EXECUTION_REQUEST', (message) => {
        served[0].push(message);
        if (served[0].items.length === 5) stop();
      });
      from.serve('HOOK_EXECUTION_REQUEST', served[1].push);
      await settled(ends);
      const outcomes = await Promise.all(numbered(100).map((id) => outcomeOf(from.publish(request(id)))));
      assert.deepEqual(new Set(outcomes), new Set(['served']));
      assert.deepEqual([served[0].items.length, served[1].items.length], [5, 95]);
      assert.equal(new Set([...served[0].items, ...served[1].items].map(idOf)).size, 100);
    },
  },
  {
    title: "if a server's end closes while messages are on their way, the publisher of each receives whether it reached the server",
    run: async ({ from, to, ends }) => {
      const served = new Inbox();
      let closed: Promise<void> | undefined;
      to.serve('HOOK_EXECUTION_REQUEST', (message) => {
        served.push(message);
        if (served.items.length === 10) closed = to.close();
      });
      await settled(ends);
      const ids = numbered(100);
      const outcomes = await Promise.all(ids.map((id) => outcomeOf(from.publish(request(id)))));
      await closed;
      assert.deepEqual(idsOf(served.items), numbered(10));
      for (const [index, outcome] of outcomes.entries()) {
        // If closing the end also disconnected the publisher, the publisher cannot know the delivery.
        const isUnknown = typeof outcome === 'object' && ['disposed', 'disconnected'].includes(String(outcome.code));
        if (!isUnknown) assert.equal(outcome, index < 10 ? 'served' : 'unserved');
      }
    },
  },
];
