import { maxUnsettledLooks, settledChange } from '../../../src/settings/watch/debounce.js';
import type { FileStamps } from '../../../src/settings/watch/file-stamps.js';

const stamps = (text: string): FileStamps => new Map([['/a', text]]);
const loaded = stamps('loaded');

/** What is said to each of several looks, `loaded` being what the settings were read from. */
function saidTo(...looks: readonly string[]): boolean[] {
  const isSettled = settledChange();
  return looks.map((look) => isSettled(loaded, stamps(look)));
}

test('nothing has changed', () => {
  expect(saidTo('loaded', 'loaded')).toEqual([false, false]);
});

test('a change counts when two looks in a row saw the same', () => {
  expect(saidTo('b', 'b')).toEqual([false, true]);
});

test('a burst of changes is one, when it is over', () => {
  expect(saidTo('b', 'c', 'd', 'd')).toEqual([false, false, false, true]);
});

test('what was undone before it counted is no change, and does not count as half of the next', () => {
  expect(saidTo('b', 'loaded', 'b', 'b')).toEqual([false, false, false, true]);
});

test('a file that never comes to rest is read all the same, and then again', () => {
  const restless = Array.from({ length: 2 * maxUnsettledLooks }, (_, index) => `b${index}`);
  const said = saidTo(...restless);
  expect(said.flatMap((settled, index) => (settled ? [index] : []))).toEqual([maxUnsettledLooks - 1, 2 * maxUnsettledLooks - 1]);
});

test('what could not be loaded is not tried for ever, and tried again once it changes or something was loaded', () => {
  const isSettled = settledChange();
  const look = (text: string, from = loaded) => isSettled(from, stamps(text));
  expect([look('b'), look('b'), look('b'), look('b'), look('b')]).toEqual([false, true, false, false, false]);
  expect([look('c'), look('c')]).toEqual([false, true]);
  const again = stamps('loaded');
  expect([look('c', again), look('c', again)]).toEqual([false, true]);
});

test('a file that is looked for since the last time is a change', () => {
  const isSettled = settledChange();
  const more = new Map([...loaded, ['/b', '']]);
  expect([isSettled(loaded, more), isSettled(loaded, more)]).toEqual([false, true]);
});
