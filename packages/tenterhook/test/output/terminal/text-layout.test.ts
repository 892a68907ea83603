import fc from 'fast-check';
import { countColumns, fitTo, joinParagraphs, padTo, wrapTo } from '../../../src/output/terminal/text-layout.js';

test.each([
  ['abc', 3],
  ['東京', 4],
  ['😀', 2],
  ['e\u0301', 1],
  ['☰', 2],
  ['🇩🇪', 4],
  ['✓ ▐█▌ – ◌ …', 11],
])('%s takes %i columns', (text, columns) => {
  expect(countColumns(text)).toBe(columns);
});

test('pads by columns and not by characters', () => {
  expect(padTo('東', 4)).toBe('東  ');
  expect(padTo('long', 2)).toBe('long');
});

test('cuts by columns', () => {
  expect(fitTo('abcdef', 6)).toBe('abcdef');
  expect(fitTo('abcdefg', 6)).toBe('abcde…');
  expect(fitTo('東京都', 5)).toBe('東京…');
});

test('breaks at spaces', () => {
  expect(wrapTo('one two three four', 9, 5)).toEqual(['one two', 'three', 'four']);
  expect(wrapTo('one two', 3, 5)).toEqual(['one', 'two']);
});

test('breaks a word that is longer than a line', () => {
  expect(wrapTo('a abcdefghij', 5, 5)).toEqual(['a', 'abcde', 'fghij']);
});

test('the last line says that there is more', () => {
  expect(wrapTo('one two three four', 9, 2)).toEqual(['one two', 'three fo…']);
});

test('nothing is not a line', () => {
  expect(wrapTo('  ', 9, 2)).toEqual([]);
});

test('no line is too wide, and no word is lost', () => {
  const words = fc.array(fc.constantFrom('a', 'bcd', '東京', 'efghijklmnop', '😀'), { maxLength: 12 });
  fc.assert(
    fc.property(words, fc.integer({ min: 2, max: 20 }), (list, columns) => {
      const lines = wrapTo(list.join(' '), columns, 1000);
      for (const line of lines) expect(countColumns(line)).toBeLessThanOrEqual(columns);
      expect(lines.join('').replaceAll(' ', '')).toBe(list.join(''));
    }),
  );
});

test('paragraphs stand apart by a blank line, and one without lines leaves none', () => {
  expect(joinParagraphs([['a', 'b'], [], ['c']])).toBe('a\nb\n\nc\n');
});
