import { getEventListeners } from 'node:events';
import { LinkedSignal, onAbort } from '../../src/async/signal.js';

test('a signal has one listener while there are callbacks, and no listener after that', () => {
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
  // Ends the earlier subscription. The later one must stay.
  first();
  controller.abort();
  second();
  expect(called).toEqual(['second']);
});

test('aborts with the followed signal, for its reason', () => {
  const followed = new AbortController();
  const linked = new LinkedSignal(followed.signal);
  expect(linked.signal.aborted).toBe(false);
  followed.abort('Esc');
  expect([linked.signal.aborted, linked.signal.reason]).toEqual([true, 'Esc']);
});

test('is aborted from the start where the followed signal is', () => {
  const linked = new LinkedSignal(AbortSignal.abort('gone'));
  expect([linked.signal.aborted, linked.signal.reason]).toEqual([true, 'gone']);
});

test('follows another signal from then on', () => {
  const [first, second] = [new AbortController(), new AbortController()];
  const linked = new LinkedSignal(first.signal);
  linked.follow(second.signal);
  first.abort('first');
  expect(linked.signal.aborted).toBe(false);
  second.abort('second');
  expect(linked.signal.reason).toBe('second');
});

test('aborts by itself, and the first reason counts', () => {
  const followed = new AbortController();
  const linked = new LinkedSignal(followed.signal);
  linked.abort('disposed');
  followed.abort('Esc');
  expect(linked.signal.reason).toBe('disposed');
  expect(followed.signal.reason).toBe('Esc');
});

test('once released, it follows nothing', () => {
  const followed = new AbortController();
  const linked = new LinkedSignal(followed.signal);
  linked.release();
  followed.abort();
  expect(linked.signal.aborted).toBe(false);
});
