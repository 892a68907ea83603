import { expect, test } from '@jest/globals';
import type { FinishedToolCall } from '@tenterhook/agent';
import { type AnsweredCall, writeAnswer } from '../../src/results/write-answer.js';

const text = (value: string) => ({ type: 'text', text: value });
const image = { type: 'image', data: 'eA==', mimeType: 'image/png' };
const executed = {
  status: 'executed',
  input: {},
  result: { llmContent: '' },
  systemMessages: [],
  userMessages: [],
  suppressOutput: false,
} as const;
const call: AnsweredCall = {
  name: 'echo',
  response: { result: { content: [text('secret')], _meta: { a: 'secret' } } },
  isModern: false,
  hasOutputSchema: false,
};
const replaced = (value: unknown, known: Partial<AnsweredCall> = {}) =>
  writeAnswer({ ...executed, replacement: { value } } as FinishedToolCall, { ...call, ...known });

test('without changes the response is the same object', () => {
  expect(writeAnswer(executed, call)).toBe(call.response);
});

test.each([
  ['a text', 'clean', [text('clean')]],
  ['parts of the protocol', [text('clean'), image], [text('clean'), image]],
  ['one part', image, [image]],
  [
    'a link and a resource',
    [
      { type: 'resource_link', uri: 'a:b', name: 'b' },
      { type: 'resource', resource: { uri: 'a:b', text: 'c' } },
    ],
    undefined,
  ],
  ['other JSON', { clean: true }, [text('{"clean":true}')]],
  ['a list with other JSON', [text('clean'), 7], [text('[{"type":"text","text":"clean"},7]')]],
  ['a part without its fields', [{ type: 'image' }], [text('[{"type":"image"}]')]],
  ['a part of an unknown type', [{ type: 'toString' }], [text('[{"type":"toString"}]')]],
  ['nothing', undefined, [text('')]],
])('a replacement that is %s', (_, value, content) => {
  expect(replaced(value)).toEqual({ result: { content: content ?? value } });
});

test('a replacement where the tool has an outputSchema is an error, and 2026-07-28 has a type of the result', () => {
  expect(replaced('clean', { hasOutputSchema: true, isModern: true })).toEqual({
    result: { resultType: 'complete', content: [text('clean')], isError: true },
  });
});
