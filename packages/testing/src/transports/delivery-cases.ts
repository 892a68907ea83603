import assert from 'node:assert/strict';
import type { Transport } from '@tenterhook/bus';
import { atOneEnd, type ConformanceCase, fromTheCentre, toAnEndThatIsCutOff } from './conformance-case.js';
import { cancel, cutOff, Inbox, idOf, idsOf, outcomeOf, patient, request, settled, watch } from './conformance-watch.js';

const channel = 'HOOK_EXECUTION_REQUEST';
const listen = () => {};

/** Cases about which listeners receive a message, in which order, and about `isSubscribed`. */
export const deliveryCases: readonly ConformanceCase[] = [
  {
    title: 'a thousand messages of one publisher arrive in the order they were published',
    run: async ({ from, to, ends }) => {
      const inbox = watch(to, 'HOOK_EXECUTION_CANCEL');
      await settled(ends);
      const ids = numbered(1000);
      await Promise.all(ids.map((id) => from.publish(cancel(id))));
      assert.deepEqual(idsOf(await inbox.count(1000, 'messages')), ids);
    },
  },
  {
    title: 'messages of several publishers at once each keep their order',
    run: async ({ ends }) => {
      const publishers = [...new Set(ends)];
      const inboxes = publishers.map((end) => watch(end, 'HOOK_EXECUTION_CANCEL'));
      await settled(ends);
      const published = publishers.map((end, publisher) =>
        Promise.all(numbered(300, `${publisher}-`).map((id) => end.publish(cancel(id)))),
      );
      await Promise.all(published);
      for (const inbox of inboxes) {
        const ids = idsOf(await inbox.count(300 * publishers.length, 'messages'));
        for (const publisher of publishers.keys()) {
          const own = ids.filter((id) => id.startsWith(`${publisher}-`));
          assert.deepEqual(own, numbered(300, `${publisher}-`));
        }
      }
    },
  },
  {
    title: 'a message reaches every subscriber of its channel on every end, including the publisher, and no other listener',
    run: async ({ from, ends }) => {
      const inboxes = ends.flatMap((end) => [watch(end, 'HOOK_EXECUTION_CANCEL'), watch(end, 'HOOK_EXECUTION_CANCEL')]);
      const others = ends.map((end) => watch(end, 'HOOK_EXECUTION_REQUEST'));
      await settled(ends);
      assert.equal(await outcomeOf(from.publish(cancel('a'))), 'unserved');
      await settled(ends);
      for (const inbox of inboxes) assert.deepEqual(idsOf(await inbox.count(1, 'message')), ['a']);
      for (const other of others) assert.deepEqual(other.items, []);
    },
  },
  {
    title: 'after flush(), a subscriber receives what any other end publishes next',
    run: async ({ to, ends }) => {
      const inbox = watch(to, 'HOOK_EXECUTION_CANCEL');
      await patient(Promise.resolve(to.flush?.()), 'flush()');
      await Promise.all(ends.map((end, index) => end.publish(cancel(`from ${index}`))));
      const ids = idsOf(await inbox.count(ends.length, 'messages'));
      assert.deepEqual(new Set(ids), new Set(ends.map((_, index) => `from ${index}`)));
    },
  },
  {
    title: 'in one process the published object itself arrives, also among messages of others',
    run: async ({ from, ends }) => {
      const inbox = watch(from, 'HOOK_EXECUTION_REQUEST');
      await settled(ends);
      const messages = numbered(20).map(request);
      const others = ends.filter((end) => end !== from).map((end, index) => end.publish(request(`other ${index}`)));
      await Promise.all([...messages.map((message) => from.publish(message)), ...others]);
      await inbox.count(20 + others.length, 'messages');
      const own = inbox.items.filter((message) => !idOf(message).startsWith('other'));
      assert.equal(own.length, 20);
      for (const [index, message] of own.entries()) assert.equal(message, messages[index]);
    },
  },
  {
    title: 'a listener that throws, or whose promise rejects, affects no other listener and no publish()',
    run: async ({ from, to, ends }) => {
      const fail = (): never => {
        throw new Error('thrown by a listener on purpose');
      };
      const failLater = async () => fail();
      for (const end of ends) {
        end.subscribe('HOOK_EXECUTION_REQUEST', fail);
        end.subscribe('HOOK_EXECUTION_REQUEST', failLater);
      }
      to.serve('HOOK_EXECUTION_REQUEST', fail);
      const inboxes = ends.map((end) => watch(end, 'HOOK_EXECUTION_REQUEST'));
      await settled(ends);
      for (const id of ['a', 'b']) assert.equal(await outcomeOf(from.publish(request(id))), 'served');
      for (const inbox of inboxes) assert.deepEqual(idsOf(await inbox.count(2, 'messages')), ['a', 'b']);
    },
  },
  {
    title: 'publish() does not wait for asynchronous work of a listener',
    run: async ({ from, to, ends }) => {
      const never = () => new Promise<void>(() => {});
      to.subscribe('HOOK_EXECUTION_REQUEST', never);
      to.serve('HOOK_EXECUTION_REQUEST', never);
      await settled(ends);
      assert.equal(await outcomeOf(from.publish(request('a'))), 'served');
    },
  },
  {
    title: 'unsubscribing takes effect at once: for the listener itself, for a following one, and for messages on their way',
    run: async ({ from, to, ends }) => {
      const first = new Inbox();
      const second = new Inbox();
      const last = watch(to, 'HOOK_EXECUTION_REQUEST');
      const stopFirst = to.subscribe('HOOK_EXECUTION_CANCEL', (message) => {
        first.push(message);
        stopFirst();
        stopFirst();
        stopSecond();
      });
      const stopSecond = to.subscribe('HOOK_EXECUTION_CANCEL', second.push);
      await settled(ends);
      await Promise.all(numbered(50).map((id) => from.publish(cancel(id))));
      await from.publish(request('last'));
      await last.count(1, 'message after them');
      assert.deepEqual([idsOf(first.items), idsOf(second.items)], [['m0'], []]);
    },
  },
  {
    title: 'subscribe() is in force for the next message that the same end publishes',
    run: async ({ from }) => {
      for (const id of numbered(50)) {
        const inbox = new Inbox();
        const stop = from.subscribe('HOOK_EXECUTION_CANCEL', inbox.push);
        const published = from.publish(cancel(id));
        assert.deepEqual(idsOf(await inbox.count(1, 'message')), [id]);
        await published;
        stop();
      }
    },
  },
  {
    title: 'messages published inside a listener arrive everywhere, and neither recurse nor stop',
    run: async ({ from, to, ends }) => {
      const inboxes = ends.map((end) => watch(end, 'HOOK_EXECUTION_CANCEL'));
      const failed = new Inbox<unknown>();
      to.subscribe('HOOK_EXECUTION_CANCEL', (message) => {
        const count = Number(idOf(message)) + 1;
        if (count < 1000) Promise.resolve(to.publish(cancel(String(count)))).catch(failed.push);
      });
      await settled(ends);
      await from.publish(cancel('0'));
      const expected = Array.from({ length: 1000 }, (_, index) => String(index));
      for (const inbox of inboxes) assert.deepEqual(idsOf(await inbox.count(1000, 'messages')), expected);
      assert.deepEqual(failed.items, []);
    },
  },
  {
    title: 'a message published by a listener follows after the previous message has reached all listeners of its end',
    run: async ({ from, to, ends }) => {
      const seen = new Inbox<string>();
      to.subscribe('HOOK_EXECUTION_CANCEL', (message) => {
        if (idOf(message) === 'a') void outcomeOf(to.publish(cancel('b')));
        seen.push(`first ${idOf(message)}`);
      });
      to.subscribe('HOOK_EXECUTION_CANCEL', (message) => seen.push(`second ${idOf(message)}`));
      await settled(ends);
      await patient(Promise.resolve(from.publish(cancel('a'))), 'a publish()');
      assert.deepEqual(await seen.count(4, 'calls'), ['first a', 'second a', 'first b', 'second b']);
    },
  },
  {
    title:
      'isSubscribed() is true from subscribe() on until the last subscriber of the channel has gone; servers and other channels do not count',
    appliesTo: (direction, features) => features.isSubscribed !== undefined && atOneEnd(direction, features),
    run: async ({ from, ends }) => {
      from.serve(channel, listen);
      from.subscribe('HOOK_EXECUTION_CANCEL', listen);
      await settled(ends);
      assert.equal(from.isSubscribed?.(channel), false, 'there is no subscriber yet');
      const stops = [from.subscribe(channel, listen), from.subscribe(channel, listen)] as const;
      assert.equal(from.isSubscribed?.(channel), true, 'two subscribe');
      stops[0]();
      assert.equal(from.isSubscribed?.(channel), true, 'one of two has stopped');
      stops[0]();
      assert.equal(from.isSubscribed?.(channel), true, 'one of two has stopped, twice');
      stops[1]();
      assert.equal(from.isSubscribed?.(channel), false, 'both have stopped');
    },
  },
  {
    title: 'isSubscribed() exists only if the features declare whose subscribers it knows',
    appliesTo: (direction, features) => features.isSubscribed === undefined && atOneEnd(direction, features),
    run: async ({ from }) => {
      assert.equal(
        from.isSubscribed,
        undefined,
        'The transport has isSubscribed(), but the features do not declare it. Set their field isSubscribed to "own" or "centre".',
      );
    },
  },
  {
    title: 'the centre knows the subscribers of another end, and servers there do not count',
    appliesTo: fromTheCentre,
    run: async ({ from, to, ends }) => {
      to.serve(channel, listen);
      await settled(ends);
      assert.equal(from.isSubscribed?.(channel), false, 'a server counts as a subscriber');
      const stop = to.subscribe(channel, listen);
      await settled(ends);
      assert.equal(from.isSubscribed?.(channel), true, 'a subscriber of another end is not known');
      stop();
      await settled(ends);
      assert.equal(from.isSubscribed?.(channel), false, 'a subscriber of another end that stopped is not forgotten');
    },
  },
  {
    title: 'the centre forgets the subscribers of an end that has closed',
    appliesTo: fromTheCentre,
    run: async ({ from, to, ends }) => {
      to.subscribe(channel, listen);
      to.serve(channel, listen);
      await settled(ends);
      assert.equal(from.isSubscribed?.(channel), true, 'a subscriber of another end is not known');
      await to.close();
      await isGone(from);
      assert.equal(from.isSubscribed?.(channel), false, 'a subscriber of an end that has closed is not forgotten');
    },
  },
  {
    title: 'the centre forgets the subscribers of an end that is cut off, and knows them again when the end reports restored',
    appliesTo: (direction, features) => fromTheCentre(direction, features) && toAnEndThatIsCutOff(direction, features),
    run: async ({ from, to, ends, features }) => {
      to.subscribe(channel, listen);
      to.serve(channel, listen);
      await settled(ends);
      assert.equal(from.isSubscribed?.(channel), true, 'a subscriber of another end is not known');
      const { comeBack } = await cutOff(to, features);
      await isGone(from);
      assert.equal(from.isSubscribed?.(channel), false, 'a subscriber of an end that is cut off is not forgotten');
      assert.equal(to.isSubscribed?.(channel), true, 'the end itself still has its subscriber');
      await comeBack();
      assert.equal(from.isSubscribed?.(channel), true, 'the subscriber is not known again');
    },
  },
];

const numbered = (count: number, name = 'm') => Array.from({ length: count }, (_, index) => `${name}${index}`);

/**
 * Resolves when the centre has noticed that a client has closed or lost its connection. The channels of this client then have no
 * server.
 */
async function isGone(centre: Transport): Promise<void> {
  assert.equal(await outcomeOf(centre.publish(request('is it gone?'))), 'unserved');
}
