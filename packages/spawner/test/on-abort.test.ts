import { onAbort } from '../src/on-abort.js';

test('every action of a signal is called once, those taken back are not', () => {
  const controller = new AbortController();
  const called: string[] = [];
  onAbort(controller.signal, () => called.push('a'));
  const takeBack = onAbort(controller.signal, () => called.push('b'));
  onAbort(controller.signal, () => called.push('c'));
  takeBack();
  takeBack();
  controller.abort();
  controller.abort();
  expect(called).toEqual(['a', 'c']);
});

test('a signal can be used again after its last action was taken back', () => {
  const controller = new AbortController();
  const called: string[] = [];
  const first = onAbort(controller.signal, () => called.push('first'));
  first();
  const second = onAbort(controller.signal, () => called.push('second'));
  // Of an earlier subscription: must not end this one.
  first();
  controller.abort();
  second();
  expect(called).toEqual(['second']);
});

test('no signal, no action', () => {
  onAbort(undefined, () => {
    throw new Error('called');
  })();
});
