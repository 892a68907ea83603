import type { BusMessage } from '@tenterhook/protocol';
import { decodeFields, decodeMessage, encodeMessage } from '../../src/wire/codec.js';
import { headersOf, readTimeoutMs } from '../../src/wire/headers.js';

const cancel: BusMessage = { type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId: 'a' } };
const limit = { maxMessageBytes: 100, maxPayload: 4196 };

test('a message is written and read unchanged', () => {
  expect(decodeMessage(encodeMessage(cancel, limit))).toEqual(cancel);
});

test('a message that is too large is refused with both limits in the error', () => {
  const large: BusMessage = { type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId: 'x'.repeat(100) } };
  expect(() => encodeMessage(large, limit)).toThrow(
    'The message has 163 bytes. The limit is 100; the server accepts 4196, headers included. Send less, or raise max_payload in the configuration of the server.',
  );
});

test.each([
  ['bytes that are not UTF-8', Buffer.from([0xff, 0xfe]), 'data that is not UTF-8'],
  ['text that is not JSON', Buffer.from('{"type":'), 'data that is not JSON'],
  ['nothing', Buffer.alloc(0), 'data that is not JSON'],
  ['JSON that is not an object', Buffer.from('5'), 'a message must be an object'],
  ['an unknown channel', Buffer.from('{"type":"X"}'), 'the type of a message must be one of'],
  ['a payload of another schema', Buffer.from('{"type":"HOOK_EXECUTION_CANCEL","payload":{}}'), 'payload.correlationId'],
])('%s is a problem', (_name, data, problem) => {
  expect(decodeMessage(data)).toEqual({ problem: expect.stringContaining(problem) });
});

test('a part of a larger buffer is read alone', () => {
  const all = Buffer.concat([Buffer.from('xx'), encodeMessage(cancel, limit), Buffer.from('yy')]);
  expect(decodeMessage(all.subarray(2, all.length - 2))).toEqual(cancel);
});

test('fields of an object are read, and everything else is undefined', () => {
  expect(decodeFields(Buffer.from('{"worker":"w.s"}'))).toEqual({ worker: 'w.s' });
  for (const text of ['', '[]', 'null', '{']) expect(decodeFields(Buffer.from(text))).toBeUndefined();
});

test('the headers have the correlation id, the timeout and the trace context', () => {
  const trace = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, tracestate: 'a=1' };
  const request = { type: 'HOOK_EXECUTION_REQUEST', payload: { correlationId: 'a b\r\n', trace } } as unknown as BusMessage;
  expect(headersOf(request, 's1', 250)).toEqual([
    ['Tenterhook-From', 's1'],
    ['Tenterhook-Correlation-Id', 'a%20b%0D%0A'],
    ['Tenterhook-Timeout-Ms', '250'],
    ['traceparent', trace.traceparent],
    ['tracestate', 'a=1'],
  ]);
});

test('what cannot be a header is left out', () => {
  for (const payload of [
    null,
    5,
    { correlationId: '\ud800' },
    { correlationId: 'x'.repeat(513) },
    { trace: 5 },
    { trace: { traceparent: 'a\r\nb: c' } },
  ]) {
    expect(headersOf({ type: 'HOOK_EXECUTION_REQUEST', payload } as never, 's1')).toEqual([['Tenterhook-From', 's1']]);
  }
});

test('a timeout is a number of milliseconds', () => {
  expect(readTimeoutMs('250')).toBe(250);
  for (const text of [undefined, '', '-1', '1e9', 'Infinity', '12345678901']) expect(readTimeoutMs(text)).toBeUndefined();
});
