import type { BusMessage } from '@tenterhook/protocol';
import { headerNames, headersOf, readTimeoutMs } from '../../src/wire/headers.js';

const message = { type: 'HOOK_EXECUTION_REQUEST', payload: { correlationId: 'a b', eventName: 'BeforeTool', input: {} } } as BusMessage;

test.each([
  [30, 30],
  [30.5, 31],
  [0.25, 1],
  [2_147_483_647, 2_147_483_647],
])('a timeout of %p ms arrives as %p, so that a worker never ends a request before its agent', (timeoutMs, read) => {
  const headers = new Map(headersOf(message, 'session', timeoutMs));
  expect(readTimeoutMs(headers.get(headerNames.timeoutMs))).toBe(read);
});

test('a request without a timeout has no header for it, and its id is encoded', () => {
  expect(headersOf(message, 'session')).toEqual([
    [headerNames.from, 'session'],
    [headerNames.correlationId, 'a%20b'],
  ]);
});

test.each(['', '-1', '1e9', '1.5', '99999999999', ' 1', 'Infinity'])('%j is not read as a timeout', (value) => {
  expect(readTimeoutMs(value)).toBeUndefined();
});
