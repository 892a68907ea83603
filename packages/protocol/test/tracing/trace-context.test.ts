import { readTraceContext } from '../../src/tracing/trace-context.js';

const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;

test('a well-formed context is read, and unknown fields are dropped', () => {
  const given = { traceparent, tracestate: 'v=1', baggage: 'k=v', other: 1 };
  expect(readTraceContext(given)).toEqual({ traceparent, tracestate: 'v=1', baggage: 'k=v' });
});

test.each<[string, unknown]>([
  ['a number', 5],
  ['null', null],
  ['an empty object', {}],
  ['upper case', { traceparent: traceparent.toUpperCase() }],
  ['a trace id of zeros', { traceparent: `00-${'0'.repeat(32)}-${'b'.repeat(16)}-01` }],
  ['a span id of zeros', { traceparent: `00-${'a'.repeat(32)}-${'0'.repeat(16)}-01` }],
  ['version ff', { traceparent: `ff${traceparent.slice(2)}` }],
  ['version 00 with more parts', { traceparent: `${traceparent}-more` }],
  [
    'a getter that throws',
    {
      get traceparent() {
        throw new Error('no');
      },
    },
  ],
  ['a line feed at the end', { traceparent: `${traceparent}\n` }],
])('%s is not read as a context', (_, given) => {
  expect(readTraceContext(given)).toBeUndefined();
});

test('14. a version of the future with more parts is read', () => {
  const future = `01${traceparent.slice(2)}-more`;
  expect(readTraceContext({ traceparent: future })).toEqual({ traceparent: future });
});

test.each([
  ['tracestate', 513],
  ['baggage', 8193],
])('14. a %s of %d characters is dropped', (field, length) => {
  expect(readTraceContext({ traceparent, [field]: 'x'.repeat(length) })).toEqual({ traceparent });
  expect(readTraceContext({ traceparent, [field]: 'x'.repeat(length - 1) })).toEqual({ traceparent, [field]: 'x'.repeat(length - 1) });
  expect(readTraceContext({ traceparent, [field]: 'x\ny' })).toEqual({ traceparent });
});
