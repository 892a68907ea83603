import { getEventListeners } from 'node:events';
import { onAbort } from '../../src/async/on-abort.js';

test('a signal has one listener while anybody waits for it, and none after', () => {
  const { signal } = new AbortController();
  const stops = Array.from({ length: 100 }, () => onAbort(signal, () => {}));
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  for (const stop of stops) stop();
  for (const stop of stops) stop();
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  onAbort(signal, () => {});
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
});

test('each callback is called once, without those that were taken away', () => {
  const controller = new AbortController();
  const called: string[] = [];
  onAbort(controller.signal, () => called.push('a'));
  onAbort(controller.signal, () => called.push('b'))();
  onAbort(controller.signal, () => called.push('c'));
  controller.abort();
  controller.abort();
  expect(called).toEqual(['a', 'c']);
});

test('a signal can be used again after its last callback was taken away', () => {
  const controller = new AbortController();
  const called: string[] = [];
  const first = onAbort(controller.signal, () => called.push('first'));
  first();
  const second = onAbort(controller.signal, () => called.push('second'));
  // Of an earlier subscription: it must not end this one.
  first();
  controller.abort();
  second();
  expect(called).toEqual(['second']);
});
