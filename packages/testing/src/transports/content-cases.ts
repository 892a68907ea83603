import assert from 'node:assert/strict';
import type { BusMessage } from '@tenterhook/protocol';
import { type ConformanceCase, toAnotherProcess } from './conformance-case.js';
import { cancel, Inbox, idsOf, outcomeOf, request, settled, watch } from './conformance-watch.js';

/** Returns a request with this input. */
function carrying(input: unknown): BusMessage {
  return { type: 'HOOK_EXECUTION_REQUEST', payload: { correlationId: 'a', eventName: 'BeforeTool', input } } as BusMessage;
}

const rich = {
  nothing: null,
  yes: true,
  numbers: [0, -1, 1.5, 1e300, 9007199254740991],
  nested: { list: [[], {}, [{ deep: ['x'] }]] },
  'a key with spaces': '',
  ['__proto__']: { own: 1 },
};

const texts: readonly [string, string][] = [
  ['text of many scripts', 'naïve Ελληνικά 日本語 עברית 🦀👩‍👩‍👧 e\u0301'],
  ['control characters and unusual line ends', '\u0000\u0007\u001b[31m\r\n\t\u2028\u2029\ufeff'],
  ['halves of surrogate pairs', '\ud800 \udc00 x\udbff'],
  ['what looks like the inside of a message', '"},"payload":{}}\n{"type":"\\u0000'],
];

export const contentCases: readonly ConformanceCase[] = [
  {
    title: 'messages arrive unmodified, including unknown fields, and the published object is not changed',
    run: async ({ from, to, ends }) => {
      const inbox = watch(to, 'HOOK_EXECUTION_REQUEST');
      const progress = watch(to, 'HOOK_EXECUTION_PROGRESS');
      await settled(ends);
      const make = () => carrying({ ...rich, ['__proto__']: { own: 1 } });
      const message = make();
      await from.publish(message);
      assert.deepEqual(await inbox.count(1, 'message'), [make()]);
      assert.deepEqual(message, make());
      const newer = { kind: 'hook-skipped', correlationId: 'a', eventName: 'x', elapsedMs: 1, hookId: 'h', skipReason: 'x', since: [1] };
      await from.publish({ type: 'HOOK_EXECUTION_PROGRESS', payload: newer } as never);
      assert.deepEqual((await progress.count(1, 'message'))[0]?.payload, newer);
    },
  },
  ...texts.map(([name, text]): ConformanceCase => {
    return {
      title: `${name} arrive${name.startsWith('text') || name.startsWith('what') ? 's' : ''} as sent`,
      run: async ({ from, to, ends }) => {
        const inbox = watch(to, 'HOOK_EXECUTION_REQUEST');
        await settled(ends);
        await from.publish(carrying({ [text]: text }));
        assert.deepEqual(await inbox.count(1, 'message'), [carrying({ [text]: text })]);
      },
    };
  }),
  {
    title: 'five megabytes of text arrive, between small messages and in their order',
    run: async ({ from, to, ends }) => {
      const inbox = watch(to, 'HOOK_EXECUTION_CANCEL');
      await settled(ends);
      const large = 'ä🦀'.repeat(5_000_000 / 6);
      const ids = ['before', large, 'after'];
      await Promise.all(ids.map((id) => from.publish(cancel(id))));
      const arrived = idsOf(await inbox.count(3, 'messages'));
      assert.ok(arrived.every((id, index) => id === ids[index]));
    },
  },
  {
    title: 'malformed payloads of requests are delivered, because the bus answers them',
    run: async ({ from, to, ends }) => {
      const inbox = new Inbox();
      to.serve('HOOK_EXECUTION_REQUEST', inbox.push);
      await settled(ends);
      const payloads = [null, undefined, 'text', 5, [], {}, { correlationId: 5 }, { correlationId: '', input: [] }];
      const outcomes = [];
      for (const payload of payloads) outcomes.push(await outcomeOf(from.publish({ type: 'HOOK_EXECUTION_REQUEST', payload } as never)));
      assert.deepEqual(new Set(outcomes), new Set(['served']));
      const arrived = (await inbox.count(payloads.length, 'messages')).map(({ payload }) => payload);
      assert.deepEqual(arrived, payloads);
    },
  },
  {
    title: 'no other malformed message arrives from another process, and the following messages do',
    appliesTo: toAnotherProcess,
    run: async ({ from, to, ends }) => {
      const inboxes = [watch(to, 'HOOK_EXECUTION_CANCEL'), watch(to, 'HOOK_EXECUTION_PROGRESS')];
      const arrived = watch(to, 'HOOK_EXECUTION_REQUEST');
      await settled(ends);
      for (const payload of [null, {}, { correlationId: 5 }, { kind: 'unheard-of', correlationId: 'a' }]) {
        await outcomeOf(from.publish({ type: 'HOOK_EXECUTION_PROGRESS', payload } as never));
      }
      for (const payload of [null, {}, { correlationId: '' }])
        await outcomeOf(from.publish({ type: 'HOOK_EXECUTION_CANCEL', payload } as never));
      assert.equal(await outcomeOf(from.publish(request('behind'))), 'unserved');
      assert.deepEqual(idsOf(await arrived.count(1, 'message')), ['behind']);
      assert.deepEqual(
        inboxes.flatMap(({ items }) => items),
        [],
      );
    },
  },
  {
    title: 'a response from another process is frozen',
    appliesTo: toAnotherProcess,
    run: async ({ from, to, ends }) => {
      const inbox = watch(to, 'HOOK_EXECUTION_RESPONSE');
      await settled(ends);
      const error = { code: 'timeout' as const, message: '', details: { outcomes: [{}] } };
      await from.publish({ type: 'HOOK_EXECUTION_RESPONSE', payload: { correlationId: 'a', success: false, error } });
      const [message] = await inbox.count(1, 'message');
      assert.ok(message !== undefined);
      assert.deepEqual(message.payload, { correlationId: 'a', success: false, error });
      const { error: arrived } = message.payload as { error: typeof error };
      assert.ok([message, message.payload, arrived, arrived.details.outcomes[0]].every(Object.isFrozen));
    },
  },
  {
    title: 'a message that cannot be written as JSON is refused with not_json, reaches no subscriber, and stops nothing',
    appliesTo: toAnotherProcess,
    run: async ({ from, to, ends }) => {
      const inboxes = [from, to].map((end) => watch(end, 'HOOK_EXECUTION_REQUEST'));
      await settled(ends);
      const cycle: { self?: unknown } = {};
      cycle.self = cycle;
      for (const input of [cycle, { big: 1n }]) assert.deepEqual(await outcomeOf(from.publish(carrying(input))), { code: 'not_json' });
      assert.equal(await outcomeOf(from.publish(request('behind'))), 'unserved');
      for (const inbox of inboxes) assert.deepEqual(idsOf(await inbox.count(1, 'message')), ['behind']);
    },
  },
  {
    title: 'a message that is larger than the transport carries is refused with too_large, reaches no subscriber, and stops nothing',
    appliesTo: (pair, features) => toAnotherProcess(pair, features) && features.maxMessageBytes !== undefined,
    run: async ({ from, to, ends, features }) => {
      const inboxes = [from, to].map((end) => watch(end, 'HOOK_EXECUTION_REQUEST'));
      await settled(ends);
      const most = features.maxMessageBytes as number;
      const room = most - Buffer.byteLength(JSON.stringify(carrying('')));
      const outcomes = [];
      // `ä` has two bytes. A limit that counted characters would accept the second input.
      for (const input of ['x'.repeat(room + 1), 'ä'.repeat(room / 2 + 1), 'x'.repeat(room)]) {
        outcomes.push(await outcomeOf(from.publish(carrying(input))));
      }
      assert.deepEqual(outcomes, [{ code: 'too_large' }, { code: 'too_large' }, 'unserved']);
      for (const inbox of inboxes) assert.equal((await inbox.count(1, 'message')).length, 1);
    },
  },
];
