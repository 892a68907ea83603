import fc from 'fast-check';
import { plainPaint } from '../../../src/output/terminal/palette.js';
import { countColumns } from '../../../src/output/terminal/text-layout.js';
import { describeHidden, nothingHidden, writeOut } from '../../../src/output/terminal/write-out.js';

const plain = { width: 80, paint: plainPaint };

test('what could hide something is written out and counted', () => {
  const hidden = nothingHidden();
  expect(writeOut(`a\u001b[2K\u202eb\u0456\u0456${' '.repeat(12)}c\td`, { ...plain, hidden })).toEqual([
    'a\\x1b[2K\\u202eb\\u0456\\u0456<12 blanks>c\\td',
  ]);
  expect(describeHidden(hidden)).toEqual([
    '3 characters that cannot be seen. They are written as \\x1b, \\u202e and so on.',
    '1 long run of blanks, the longest of 12. What follows may be out of sight in an editor.',
    '2 characters that are not ASCII: \u0456 U+0456. Some look like other letters.',
  ]);
  expect(describeHidden(nothingHidden())).toEqual([]);
});

test('a line of a file keeps letters of other languages, tabs and its indentation', () => {
  const hidden = nothingHidden();
  expect(writeOut(`\tif Pr\u00fcfung:${' '.repeat(20)}# \u691c\u8a3c`, { ...plain, hidden, isFile: true })).toEqual([
    `    if Pr\u00fcfung:${' '.repeat(20)}# \u691c\u8a3c`,
  ]);
  expect(hidden).toMatchObject({
    unseen: 0,
    runs: 0,
    foreign: new Map([
      ['\u00fc', 1],
      ['\u691c', 1],
      ['\u8a3c', 1],
    ]),
  });
});

test('signs have another style than the text, so that a text cannot contain one', () => {
  const paint = (style: string, text: string) => (text === '' ? '' : `[${style}:${text}]`);
  expect(writeOut('\\x1b \u001b', { width: 80, paint })).toEqual(['[plain:\\x1b ][yellow:\\x1b]']);
});

test('lines break after blanks, and nothing is left out', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-c \n]{0,200}$/), fc.integer({ min: 20, max: 40 }), (text, width) => {
      const lines = writeOut(text.replaceAll(/ {9,}/g, ' '), { width, paint: plainPaint });
      expect(lines.join('')).toBe(text.replaceAll(/ {9,}/g, ' ').replaceAll('\n', ''));
      for (const line of lines) expect(countColumns(line)).toBeLessThanOrEqual(width);
    }),
  );
});

test('no text brings a control character or an invisible one to the terminal', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      for (const line of writeOut(text, plain)) expect(line).toMatch(/^[\x20-\x7e]*$/);
    }),
  );
});
