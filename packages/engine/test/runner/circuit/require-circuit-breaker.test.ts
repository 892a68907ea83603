import { requireCircuitBreaker } from '../../../src/runner/circuit/circuit.js';

const good = { failures: 3, windowMs: 60_000, pauseMs: 30_000 };

test.each([good, { failures: 1, windowMs: 1, pauseMs: 1 }, { failures: 10_000, windowMs: 2147483647, pauseMs: 0.5 + 1 }])(
  '%j passes',
  (options) => {
    expect(requireCircuitBreaker(options)).toEqual(options);
  },
);

const wrong: Record<string, [options: unknown, message: string]> = {
  'no object': [true, '"circuitBreaker" must be { failures, windowMs, pauseMs }, and is true.'],
  null: [null, 'and is null.'],
  'a number': [3, 'and is 3.'],
  'a field that there is not': [
    { ...good, pause: 1 },
    '"circuitBreaker" has no option "pause". Its options are failures, windowMs, pauseMs.',
  ],
  'no failures': [{ windowMs: 1, pauseMs: 1 }, '"circuitBreaker.failures" must be an integer from 1 to 10000, and is missing.'],
  'zero failures': [{ ...good, failures: 0 }, 'failures" must be an integer from 1 to 10000, and is 0.'],
  'half a failure': [{ ...good, failures: 2.5 }, 'and is 2.5.'],
  'more failures than are counted': [{ ...good, failures: 10_001 }, 'and is 10001.'],
  'failures that are a text': [{ ...good, failures: '3' }, 'and is "3".'],
  'no window': [
    { ...good, windowMs: undefined },
    '"circuitBreaker.windowMs" must be a number of milliseconds from 1 to 2147483647, and is missing.',
  ],
  'an invalid window': [{ ...good, windowMs: Number.NaN }, 'windowMs" must be a number of milliseconds from 1 to 2147483647, and is NaN.'],
  'a pause without an end': [
    { ...good, pauseMs: Number.POSITIVE_INFINITY },
    '"circuitBreaker.pauseMs" must be a number of milliseconds from 1 to 2147483647, and is Infinity.',
  ],
  'a negative pause': [{ ...good, pauseMs: -1 }, 'and is -1.'],
};

test.each(Object.entries(wrong))('%s is a TypeError that names the field and the value', (_, [options, message]) => {
  expect(() => requireCircuitBreaker(options)).toThrow(TypeError);
  expect(() => requireCircuitBreaker(options)).toThrow(message);
});
