import fc from 'fast-check';
import { escapeForTerminal } from '../../../src/output/terminal/escape.js';

const table: Record<string, [text: string, shown: string]> = {
  'plain text stays': ['write_file a.txt', 'write_file a.txt'],
  'letters of all scripts stay': ['Gruß 東京 😀', 'Gruß 東京 😀'],
  'a colour code is shown': ['\x1b[31mred\x1b[0m', '\\x1b[31mred\\x1b[0m'],
  'a window title is not set': ['\x1b]0;owned\x07', '\\x1b]0;owned\\x07'],
  'an eight-bit control sequence is shown': ['\x9b2J', '\\x9b2J'],
  'line ends do not break the line': ['a\r\nb', 'a\\r\\nb'],
  'a tab does not move': ['a\tb', 'a\\tb'],
  'backspaces erase nothing': ['ok\b\bno', 'ok\\x08\\x08no'],
  'NUL and DEL are shown': ['\0\x7f', '\\x00\\x7f'],
  'bidi overrides reverse nothing': ['a\u202etxt.exe', 'a\\u202etxt.exe'],
  'bidi isolates are shown': ['\u2066a\u2069', '\\u2066a\\u2069'],
  'zero-width characters are seen': ['a\u200bb\ufeff', 'a\\u200bb\\ufeff'],
  'line and paragraph separators are shown': ['a\u2028b\u2029', 'a\\u2028b\\u2029'],
  'invisible tags are seen': ['a\u{e0041}', 'a\\u{e0041}'],
  'half a surrogate pair is shown': ['a\ud83d', 'a\\ud83d'],
};

test.each(Object.entries(table))('%s', (_, [text, shown]) => {
  expect(escapeForTerminal(text)).toBe(shown);
});

test('a text of exactly the bound is whole', () => {
  expect(escapeForTerminal('abcd', 4)).toBe('abcd');
});

test('a longer text is cut visibly', () => {
  expect(escapeForTerminal('abcde', 4)).toBe('abc…');
});

test('a cut leaves no half of a character', () => {
  expect(escapeForTerminal('ab😀😀', 4)).toBe('ab…');
});

test('escapes count', () => {
  expect(escapeForTerminal('\x1b\x1b\x1b', 8)).toBe('\\x1b\\x1…');
});

test('nothing that a terminal obeys comes through, and the bound holds', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 50 }), (text, maxLength) => {
      const shown = escapeForTerminal(text, maxLength);
      expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
      expect(shown.length).toBeLessThanOrEqual(maxLength);
    }),
  );
});
