import { abortReason, describeAbort } from '../../src/text/describe-abort.js';

const signalOf = (...reason: unknown[]) => {
  const control = new AbortController();
  control.abort(...reason);
  return control.signal;
};

test.each<[string, AbortSignal, string]>([
  ['an error', signalOf(new Error('user pressed esc')), 'The call was cancelled: user pressed esc.'],
  ['an error with a full stop', signalOf(new Error('Out of budget.')), 'The call was cancelled: Out of budget.'],
  ['a text', signalOf('budget'), 'The call was cancelled: budget.'],
  ['a long text', signalOf('x'.repeat(1000)), `The call was cancelled: ${'x'.repeat(200)}…`],
  ['the error of a timeout', signalOf(new DOMException('It took too long', 'TimeoutError')), 'The call was cancelled: It took too long.'],
  ['nothing', signalOf(), 'The call was cancelled.'],
  ['an empty text', signalOf(''), 'The call was cancelled.'],
  ['an error without a message', signalOf(new Error()), 'The call was cancelled.'],
  ['an object', signalOf({ code: 7 }), 'The call was cancelled.'],
  ['a number', signalOf(7), 'The call was cancelled.'],
])('a signal that aborts with %s', (_, signal, expected) => {
  expect(describeAbort('The call was cancelled', signal)).toBe(expected);
});

test('a reason whose message throws is none, and no signal has none', () => {
  const hostile = {
    get message(): string {
      throw new Error('no');
    },
  };
  expect(abortReason(signalOf(hostile))).toBeUndefined();
  expect(describeAbort('It was cancelled', undefined)).toBe('It was cancelled.');
});
