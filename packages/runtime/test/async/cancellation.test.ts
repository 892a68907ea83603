import { abortableOf, Cancellation, LinkedSignal, onAbort, signalOf } from '../../src/async/index.js';

test('a signal that is read before or after the abort has its first reason', () => {
  const [early, late] = [new Cancellation(), new Cancellation()];
  const { signal } = early;
  for (const cancellation of [early, late]) {
    cancellation.abort('Esc');
    cancellation.abort('again');
    expect([cancellation.aborted, cancellation.reason, cancellation.signal.reason]).toEqual([true, 'Esc', 'Esc']);
  }
  expect(signal.reason).toBe('Esc');
  expect(early.signal).toBe(signal);
});

test('each callback is called once, also one that an earlier callback removes, but none that was removed before', () => {
  const cancellation = new Cancellation();
  const called: string[] = [];
  onAbort(cancellation, () => {
    called.push('a');
    stop();
    onAbort(cancellation, () => called.push('too late'));
  });
  const stop = onAbort(cancellation, () => called.push('b'));
  onAbort(cancellation, () => called.push('removed'))();
  cancellation.abort('Esc');
  cancellation.abort('Esc');
  expect(called).toEqual(['a', 'b']);
});

test('a cancellation follows another one without a signal, until it is released', () => {
  const first = new Cancellation();
  const [second, third] = [new LinkedSignal(first), new LinkedSignal(first)];
  third.release();
  first.abort('disposed');
  expect([second.reason, third.aborted]).toEqual(['disposed', false]);
});

test('what to follow is the cancellation, or the signal of another program', () => {
  const cancellation = new Cancellation();
  expect(abortableOf({ cancellation, signal: cancellation.signal })).toBe(cancellation);
  const { signal } = new AbortController();
  expect(abortableOf({ signal, cancellation: { aborted: false } })).toBe(signal);
  expect([signalOf(signal), signalOf(cancellation)]).toEqual([signal, cancellation.signal]);
});
