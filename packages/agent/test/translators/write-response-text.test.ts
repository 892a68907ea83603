import { type ResponsePartFormat, writeResponseText } from '../../src/translators/write-response-text.js';

type Part = `text ${string}` | `thought ${string}` | `call ${string}`;

const format: ResponsePartFormat<Part> = {
  textOf: (part) => (part.startsWith('text ') ? part.slice('text '.length) : undefined),
  withText: (_part, text) => `text ${text}`,
  isThought: (part) => part.startsWith('thought '),
  createText: (text) => `text ${text}`,
};

test.each<[sentence: string, parts: Part[], expected: Part[]]>([
  ['in place of the text there is', ['thought a', 'text old', 'call b'], ['thought a', 'text new', 'call b']],
  ['behind the thoughts and before the calls', ['thought a', 'thought b', 'call c'], ['thought a', 'thought b', 'text new', 'call c']],
  ['behind thoughts alone', ['thought a'], ['thought a', 'text new']],
  ['in front of calls alone', ['call a', 'call b'], ['text new', 'call a', 'call b']],
  ['by itself', [], ['text new']],
  ['a thought behind a call stays there', ['call a', 'thought b'], ['text new', 'call a', 'thought b']],
])('a new text stands %s', (_, parts, expected) => {
  expect(writeResponseText(format, parts, 'new')).toEqual(expected);
});
