import fc from 'fast-check';
import {
  joinTextParts,
  type PartFormat,
  type ResponsePartFormat,
  rewriteTextParts,
  withoutTextParts,
  writeResponseText,
} from '../../src/translators/text-parts.js';

type Part = { text: string; mark: number } | { image: number };

const format: PartFormat<Part> = {
  textOf: (part) => ('text' in part ? part.text : undefined),
  withText: (part, text) => ('text' in part ? { ...part, text } : part),
};

const image = { image: 1 };
const table: Record<string, [parts: Part[], text: string, expected: Part[]]> = {
  'one text part takes the text and keeps the rest of itself': [[{ text: 'a', mark: 1 }, image], 'x', [{ text: 'x', mark: 1 }, image]],
  'of several the first takes it all': [[{ text: 'a', mark: 1 }, image, { text: 'b', mark: 2 }], 'x', [{ text: 'x', mark: 1 }, image]],
  'a text that was added at the end leaves what was before it': [
    [
      { text: 'a', mark: 1 },
      { text: 'b', mark: 2 },
    ],
    'ab!',
    [
      { text: 'a', mark: 1 },
      { text: 'b!', mark: 2 },
    ],
  ],
  'a text that was added in front leaves the rest': [
    [{ text: 'a', mark: 1 }, image, { text: 'b', mark: 2 }],
    '!ab',
    [{ text: '!a', mark: 1 }, image, { text: 'b', mark: 2 }],
  ],
  'a part in the middle': [
    [
      { text: 'a', mark: 1 },
      { text: 'b', mark: 2 },
      { text: 'c', mark: 3 },
    ],
    'axc',
    [
      { text: 'a', mark: 1 },
      { text: 'x', mark: 2 },
      { text: 'c', mark: 3 },
    ],
  ],
  'a part that is gone': [
    [
      { text: 'a', mark: 1 },
      { text: 'b', mark: 2 },
    ],
    'a',
    [{ text: 'a', mark: 1 }],
  ],
  'an empty text takes every text part': [[{ text: 'a', mark: 1 }, image, { text: 'b', mark: 2 }], '', [image]],
  'where no part is text there is no place for one': [[image], 'x', [image]],
};

test.each(Object.entries(table))('%s', (_, [parts, text, expected]) => {
  expect(rewriteTextParts(format, parts, text)).toEqual(expected);
});

test('all the text is the new one, everything else is what it was, and the same text changes no part', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 3 });
  const parts = fc.array(fc.oneof(fc.record({ text, mark: fc.nat() }), fc.record({ image: fc.nat() })), { maxLength: 5 });
  fc.assert(
    fc.property(parts, text, (old, wanted) => {
      const rewritten = rewriteTextParts<Part>(format, old, wanted);
      if (old.some((part) => 'text' in part)) expect(joinTextParts(format, rewritten)).toBe(wanted);
      expect(withoutTextParts(format, rewritten)).toEqual(withoutTextParts(format, old));
      const full = old.filter((part) => !('text' in part) || part.text !== '');
      expect(rewriteTextParts<Part>(format, full, joinTextParts<Part>(format, full)).every((part, at) => part === full[at])).toBe(true);
    }),
  );
});

type ResponsePart = `text ${string}` | `thought ${string}` | `call ${string}`;

const responseFormat: ResponsePartFormat<ResponsePart> = {
  textOf: (part) => (part.startsWith('text ') ? part.slice('text '.length) : undefined),
  withText: (_part, text) => `text ${text}`,
  isThought: (part) => part.startsWith('thought '),
  createText: (text) => `text ${text}`,
};

test.each<[sentence: string, parts: ResponsePart[], expected: ResponsePart[]]>([
  ['in place of the text there is', ['thought a', 'text old', 'call b'], ['thought a', 'text new', 'call b']],
  ['behind the thoughts and before the calls', ['thought a', 'thought b', 'call c'], ['thought a', 'thought b', 'text new', 'call c']],
  ['behind thoughts alone', ['thought a'], ['thought a', 'text new']],
  ['in front of calls alone', ['call a', 'call b'], ['text new', 'call a', 'call b']],
  ['by itself', [], ['text new']],
  ['a thought behind a call stays there', ['call a', 'thought b'], ['text new', 'call a', 'thought b']],
])('a new text stands %s', (_, parts, expected) => {
  expect(writeResponseText(responseFormat, parts, 'new')).toEqual(expected);
});
