import { onStop, type StopReason, type StopSignal } from '../src/cancellation.js';

test('a stop is reported once, with its first reason, to those who asked before and after it', () => {
  const control = new AbortController();
  const signal: StopSignal = control.signal;
  const called: [string, StopReason][] = [];
  onStop(signal, (reason) => called.push(['before', reason]));
  onStop(signal, (reason) => called.push(['taken back', reason]))();
  control.abort('cancelled');
  control.abort('disposed');
  onStop(signal, (reason) => called.push(['after', reason]))();
  expect(called).toEqual([
    ['before', 'cancelled'],
    ['after', 'cancelled'],
  ]);
});
