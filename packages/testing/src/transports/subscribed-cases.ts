import assert from 'node:assert/strict';
import type { Transport } from '@tenterhook/bus';
import { atOneEnd, type ConformanceCase, fromTheCentre, toAnEndThatIsCutOff } from './conformance-case.js';
import { outcomeOf, request, settled } from './conformance-watch.js';
import { cutOff } from './cut-off.js';

const channel = 'HOOK_EXECUTION_REQUEST';
const listen = () => {};

/** Whether anybody would see a message. */
export const subscribedCases: readonly ConformanceCase[] = [
  {
    title:
      'isSubscribed() is true from subscribe() on until the last subscriber of the channel has gone; servers and other channels do not count',
    appliesTo: (direction, features) => features.isSubscribed !== undefined && atOneEnd(direction, features),
    run: async ({ from, ends }) => {
      from.serve(channel, listen);
      from.subscribe('HOOK_EXECUTION_CANCEL', listen);
      await settled(ends);
      assert.equal(from.isSubscribed?.(channel), false, 'nobody subscribes yet');
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
    title: 'isSubscribed() is there only where the features say whose subscribers it knows',
    appliesTo: (direction, features) => features.isSubscribed === undefined && atOneEnd(direction, features),
    run: async ({ from }) => {
      assert.equal(from.isSubscribed, undefined, 'the transport has isSubscribed(): say in the features whose subscribers it knows');
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
    title: 'the centre forgets the subscribers of an end that is cut off, and knows them again when it tells restored',
    appliesTo: (direction, features) => fromTheCentre(direction, features) && toAnEndThatIsCutOff(direction, features),
    run: async ({ from, to, ends, features }) => {
      to.subscribe(channel, listen);
      to.serve(channel, listen);
      await settled(ends);
      assert.equal(from.isSubscribed?.(channel), true, 'a subscriber of another end is not known');
      const { comeBack } = await cutOff(to, features);
      await isGone(from);
      assert.equal(from.isSubscribed?.(channel), false, 'a subscriber of an end that is cut off is not forgotten');
      assert.equal(to.isSubscribed?.(channel), true, 'the end itself has its subscriber still');
      await comeBack();
      assert.equal(from.isSubscribed?.(channel), true, 'the subscriber is not known again');
    },
  },
];

/** Resolves when the centre has noticed that an end has gone: what the end served is then served by nobody. */
async function isGone(centre: Transport): Promise<void> {
  assert.equal(await outcomeOf(centre.publish(request('is it gone?'))), 'unserved');
}
