import { expect, test } from '@jest/globals';
import { formatLine, parseLine } from '../../src/wire/line.js';

test('a message is one line for every reader, and has the same JSON', () => {
  const message = { text: 'a\nb\rc\u2028d\u2029e\u0085f\u000bg', lone: '\ud800' };
  const line = formatLine(message);
  expect(line.endsWith('\n')).toBe(true);
  expect(line.slice(0, -1)).not.toMatch(/[\u0000-\u001f\u0085\u2028\u2029\ud800]/);
  expect(JSON.parse(line)).toEqual(message);
});

test('a batch has several messages, and an empty batch is one invalid message', () => {
  expect(parseLine('[1,{"a":2}]')).toEqual({ messages: [1, { a: 2 }] });
  expect(parseLine('[]')).toEqual({ messages: [[]], source: { message: [], text: '[]' } });
  expect(parseLine('{"a":1,"a":2}')).toEqual({ messages: [{ a: 2 }], source: { message: { a: 2 }, text: '{"a":1,"a":2}' } });
  expect(parseLine('{"a":')).toEqual({ problem: expect.any(String) });
});
