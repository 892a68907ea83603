import fc from 'fast-check';
import { compileWildcard } from '../src/wildcard.js';

/** The definition of a match, one case a line, without regard to speed. */
function matchesByDefinition(pattern: string[], text: string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return text.length === 0;
  if (first === '*') return matchesByDefinition(rest, text) || (text.length > 0 && matchesByDefinition(pattern, text.slice(1)));
  return text.length > 0 && (first === '?' || first === text[0]) && matchesByDefinition(rest, text.slice(1));
}

const table: Record<string, [pattern: string, text: string, expected: boolean]> = {
  'a star at the end takes the rest': ['write_*', 'write_file', true],
  'a star at the end takes nothing': ['write_*', 'write_', true],
  'the whole text must match': ['write_*', 'overwrite_x', false],
  'a star at the beginning takes the front': ['*_file', 'read_file', true],
  'a star alone matches everything': ['*', 'anything at all', true],
  'a star alone matches nothing at all': ['*', '', true],
  'an empty pattern matches only the empty text': ['', 'a', false],
  'an empty pattern matches the empty text': ['', '', true],
  'a star crosses slashes': ['src/*.ts', 'src/a/b.ts', true],
  'a star crosses newlines': ['a*b', 'a\n\nb', true],
  'a question mark is one character': ['a?b', 'axb', true],
  'a question mark is not none': ['a?b', 'ab', false],
  'a question mark is one code point, not one half of it': ['a?b', 'a😀b', true],
  'two question marks are two code points': ['??', '😀', false],
  'a star never stops inside a code point': ['*\ude00', '😀', false],
  'case counts': ['Read*', 'read_file', false],
  'a star goes back when a later literal fails': ['*ab', 'aab', true],
  'two stars in a row are one': ['a**b', 'ab', true],
  'characters of expressions are only characters': ['a.b|c[d]', 'a.b|c[d]', true],
  'a dot is not any character': ['a.b', 'axb', false],
};

test.each(Object.entries(table))('%s', (_, [pattern, text, expected]) => {
  expect(compileWildcard(pattern)(text)).toBe(expected);
});

test('equals the definition', () => {
  const texts = fc.array(fc.constantFrom('a', 'b', '😀', '\ud83d'), { maxLength: 8 });
  const patterns = fc.array(fc.constantFrom('a', 'b', '😀', '*', '?'), { maxLength: 7 });
  fc.assert(
    fc.property(patterns, texts, (pattern, text) => {
      const written = text.join('');
      expect(compileWildcard(pattern.join(''))(written)).toBe(matchesByDefinition(pattern, Array.from(written)));
    }),
    { numRuns: 2000 },
  );
});

test('many stars before a letter that never comes get an answer', () => {
  expect(compileWildcard(`${'*a'.repeat(200)}*b`)('a'.repeat(50_000))).toBe(false);
});

test('an overlong pattern is not refused, because there is nothing to refuse it with', () => {
  expect(compileWildcard('a'.repeat(20_000))('a'.repeat(20_000))).toBe(true);
});
