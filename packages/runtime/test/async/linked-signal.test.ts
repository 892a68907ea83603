import { LinkedSignal } from '../../src/async/linked-signal.js';

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
