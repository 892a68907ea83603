import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Elicitations } from '../../src/asking/elicitations.js';
import type { Message } from '../../src/wire/message.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test('a question without an answer is withdrawn after ten minutes', async () => {
  const sent: Message[] = [];
  const elicitations = new Elicitations((message) => sent.push(message));
  const answer = elicitations.ask('May it?', new AbortController().signal);
  const id = sent[0]?.['id'];
  expect(sent).toEqual([
    {
      jsonrpc: '2.0',
      id,
      method: 'elicitation/create',
      params: { message: 'May it?', requestedSchema: { type: 'object', properties: {} } },
    },
  ]);
  jest.advanceTimersByTime(599_999);
  expect(sent).toHaveLength(1);
  jest.advanceTimersByTime(1);
  expect(sent[1]).toMatchObject({ method: 'notifications/cancelled', params: { requestId: id } });
  expect(await answer).toBeUndefined();
  // A late answer is ours too, and answers nothing.
  expect(elicitations.take({ id, result: { action: 'accept' } })).toBe(true);
  expect(elicitations.take({ id: `${String(id)}.`, result: {} })).toBe(true);
  expect(['s', 1, null].map((other) => elicitations.take({ id: other, result: {} }))).toEqual([false, false, false]);
});
