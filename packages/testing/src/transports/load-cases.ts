import assert from 'node:assert/strict';
import type { BusMessage } from '@tenterhook/protocol';
import { atOneEnd, type ConformanceCase, toAnEndThatIsPaused } from './conformance-case.js';
import { cancel, Inbox, idOf, idsOf, outcomeOf, patient, request, settled, watch } from './conformance-watch.js';

const padding = 'x'.repeat(16 * 1024);

/** A message of about 16 KiB. */
const large = (index: number): BusMessage => cancel(`${index} ${padding}`);
const indexesOf = (messages: readonly BusMessage[]) => messages.map((message) => Number.parseInt(idOf(message), 10));
const indexes = (count: number) => [...Array(count).keys()];

/** Cases with more messages than fit into the buffers of a connection, and with more requests than may wait. */
export const loadCases: readonly ConformanceCase[] = [
  {
    title: 'sixteen megabytes that are published at once arrive completely and in order',
    run: async ({ from, to, ends }) => {
      const inbox = watch(to, 'HOOK_EXECUTION_CANCEL');
      await settled(ends);
      await Promise.all(indexes(1000).map((index) => from.publish(large(index))));
      assert.deepEqual(indexesOf(await inbox.count(1000, 'messages')), indexes(1000));
    },
  },
  {
    title: 'an end that does not read delays no other end and no publisher, and receives everything when it reads again',
    appliesTo: toAnEndThatIsPaused,
    run: async ({ from, to, ends, features }) => {
      const others = ends.filter((end) => end !== to);
      const inboxes = others.map((end) => watch(end, 'HOOK_EXECUTION_CANCEL'));
      const slow = watch(to, 'HOOK_EXECUTION_CANCEL');
      await settled(ends);
      const resume = await features.pause?.(to);
      await patient(Promise.all(indexes(300).map((index) => from.publish(large(index)))), 'the end of each publish()');
      for (const inbox of inboxes) await inbox.count(300, 'messages');
      resume?.();
      assert.deepEqual(indexesOf(await slow.count(300, 'messages')), indexes(300));
    },
  },
  {
    title: 'one request more than may wait is refused with overloaded and reaches no listener, until another one is answered',
    appliesTo: (direction, features) => features.maxRequests !== undefined && (direction.from !== direction.to || atOneEnd(direction, {})),
    run: async ({ from, to, ends, features }) => {
      const most = features.maxRequests as number;
      const served = new Inbox();
      to.serve('HOOK_EXECUTION_REQUEST', served.push);
      const seen = watch(to, 'HOOK_EXECUTION_REQUEST');
      await settled(ends);
      const outcomes = await Promise.all(indexes(most).map((index) => outcomeOf(from.publish(request(String(index))))));
      assert.deepEqual(new Set(outcomes), new Set(['served']));
      assert.deepEqual(await outcomeOf(from.publish(request('too many'))), { code: 'overloaded' });
      const error = { code: 'timeout' as const, message: '' };
      const answered = watch(from, 'HOOK_EXECUTION_RESPONSE');
      await settled(ends);
      await to.publish({ type: 'HOOK_EXECUTION_RESPONSE', payload: { correlationId: '0', success: false, error } });
      await answered.count(1, 'response');
      assert.equal(await outcomeOf(from.publish(request('again'))), 'served');
      assert.deepEqual(idsOf(await served.count(most + 1, 'requests')), [...indexes(most).map(String), 'again']);
      await settled(ends);
      assert.equal(seen.items.length, most + 1);
    },
  },
];
