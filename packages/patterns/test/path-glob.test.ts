import fc from 'fast-check';
import { type Compiled, compilePathGlob, pathVariants } from '../src/index.js';

function accepted(compiled: Compiled): (text: string) => boolean {
  if (!compiled.ok) throw new Error(`refused: ${compiled.error.message}`);
  return compiled.test;
}

const table: Record<string, [pattern: string, path: string, expected: boolean]> = {
  'without a slash the base name counts': ['*.rs', 'src/main.rs', true],
  'a base name without directories': ['*.rs', 'main.rs', true],
  'a literal base name at any depth': ['.env', 'src/.env', true],
  'a star takes a leading dot and further dots': ['*test*', 'src/my.test.ts', true],
  'a star alone matches every base name': ['*', 'a/b', true],
  'a star stays inside its segment': ['src/*.ts', 'src/d/a.ts', false],
  'two stars take no segment': ['src/**/*.ts', 'src/a.ts', true],
  'two stars take several segments': ['src/**/*.ts', 'src/d/e/a.ts', true],
  'two stars at the end take everything below': ['src/**', 'src/a/b', true],
  'alternatives: the second': ['*.{ts,js}', 'lib/a.js', true],
  'a question mark is one character': ['a?b', 'axb', true],
  'a question mark is not none': ['a?b', 'ab', false],
  'another directory': ['lib/**', 'src/a.ts', false],

  'two stars at the end take the directory itself': ['src/**', 'src', true],
  'two stars at the end do not take a longer name': ['src/**', 'src2', false],
  'two stars at the end of an alternative take the directory itself': ['{src,lib/**}', 'lib', true],
  'two stars followed by something after the alternative do not': ['{src/**,lib}x/y', 'srcx/y', false],
  'two stars at the beginning take no segment': ['**/a.ts', 'a.ts', true],
  'two stars at the beginning take the root': ['**/a.ts', '/srv/a.ts', true],
  'two stars at the beginning take whole segments only': ['**/a.ts', 'ba.ts', false],
  'two stars in the middle take whole segments only': ['src/**/a.ts', 'src/ba.ts', false],
  'two stars inside a segment cross slashes': ['src/a**z', 'src/ab/cz', true],
  'three stars are two': ['src/***/a.ts', 'src/a.ts', true],
  'two stars behind alternatives that both end a segment': ['{a/,}**/x', 'x', true],
  'the whole path must match': ['src/a', 'x/src/a', false],
  'case counts': ['*.TS', 'a.ts', false],
  'a question mark is not a slash': ['a?b/c', 'a/b/c', false],
  'a question mark is one code point': ['?', 'a/😀', true],
  'a star takes a newline': ['a*b', 'a\nb', true],
  'a class': ['[a-c].ts', 'b.ts', true],
  'a class: not outside its range': ['[a-c].ts', 'd.ts', false],
  'a class negated with an exclamation mark': ['[!a-c].ts', 'd.ts', true],
  'a class negated with a caret': ['[^a-c].ts', 'a.ts', false],
  'a negated class is not a slash': ['a[!x]b/c', 'a/b/c', false],
  'a range does not reach over a slash': ['a[+-9]b/c', 'a/b/c', false],
  'a range around a slash keeps its ends': ['a[+-9]b/c', 'a9b/c', true],
  'a class of nothing but a slash matches nothing': ['a[/]b', 'a/b', false],
  'a closing bracket in the first place is a member': ['[]]', ']', true],
  'a hyphen at the end is a member': ['[a-]', '-', true],
  'an escaped member': ['[\\]a]', ']', true],
  'a backslash in a class starts no class of the expression': ['[\\d]', '1', false],
  'ampersands in a class are members': ['[a&&b]', '&', true],
  'an emoji is one member': ['[😀]', '😀', true],
  'braces in a class are members': ['[{}]', '{', true],
  'nested alternatives': ['{a,b{c,d}}.ts', 'bd.ts', true],
  'an empty alternative': ['a{,b}.ts', 'a.ts', true],
  'one alternative is that alternative': ['*.{ts}', 'a.ts', true],
  'alternatives with slashes': ['{src,test/unit}/*.ts', 'test/unit/a.ts', true],
  'an escaped star is a star': ['\\*', 'a/*', true],
  'an escaped star is nothing else': ['\\*', 'a/b', false],
  'a comma outside of braces is a comma': ['a,b', 'a,b', true],
  'a closing brace alone is a brace': ['a}', 'a}', true],
  'characters of expressions are only characters': ['a.b+(c)|^$', 'a.b+(c)|^$', true],
  'a dot is not any character': ['a.b', 'axb', false],
  'a slash at the end of a path is not part of its base name': ['.env', 'src/.env/', true],
  'the root has no base name': ['?', '/', false],
};

test.each(Object.entries(table))('%s', (_, [pattern, path, expected]) => {
  expect(accepted(compilePathGlob(pattern))(path)).toBe(expected);
});

test('a relative pattern meets an absolute path through the working directory', () => {
  const isMatch = accepted(compilePathGlob('src/**/*.ts'));
  expect(isMatch('/srv/app/src/a.ts')).toBe(false);
  expect(pathVariants('/srv/app/src/a.ts', '/srv/app').some(isMatch)).toBe(true);
  expect(pathVariants('/srv/other/src/a.ts', '/srv/app').some(isMatch)).toBe(false);
});

const refused: Record<string, [pattern: string, message: string, remedy: string]> = {
  'an unclosed class': ['src/[ab', '"src/[ab" has a "[" that is not closed', '"\\["'],
  'a class of only a closing bracket': ['[]', 'has a "[" that is not closed', '"\\["'],
  'a range without its end': ['[a-', 'has a "[" that is not closed', '"\\["'],
  'unclosed alternatives': ['*.{ts,js', '"*.{ts,js" has a "{" that is not closed', '"\\{"'],
  'unclosed nested alternatives': ['{a,{b}', 'has a "{" that is not closed', '"\\{"'],
  'a reversed range': ['[z-a]', 'has the range "z-a", which ends before it begins', 'Write "a-z".'],
  'a named class': ['[[:alpha:]]', 'named classes are not supported', '[a-zA-Z0-9]'],
  'a backslash at the end': ['a\\', 'ends with a backslash', '"\\\\"'],
  'alternatives 21 deep': [`${'{'.repeat(21)}a${'}'.repeat(21)}`, 'more than 20 levels deep', 'several patterns'],
  'more than 10,000 characters': ['a'.repeat(10_001), 'the limit is 10000', 'Split the pattern'],
  'more stars than the engine has room for': ['*a'.repeat(5000), 'too large', 'Shorten the pattern'],
};

test.each(Object.entries(refused))('%s is a value with a remedy', (_, [pattern, message, remedy]) => {
  expect(compilePathGlob(pattern)).toEqual({
    ok: false,
    error: { message: expect.stringContaining(message), remedy: expect.stringContaining(remedy) },
  });
});

test('alternatives 20 deep, the longest literal, and braces that would multiply are accepted', () => {
  expect(accepted(compilePathGlob(`${'{'.repeat(20)}a${'}'.repeat(20)}`))('a')).toBe(true);
  expect(accepted(compilePathGlob('a'.repeat(10_000)))('b')).toBe(false);
  expect(accepted(compilePathGlob('{a,b}'.repeat(500)))('ab'.repeat(250))).toBe(true);
});

test('stars that are catastrophic elsewhere get their answer', () => {
  expect(accepted(compilePathGlob(`${'*a'.repeat(30)}b`))('a'.repeat(50_000))).toBe(false);
  expect(accepted(compilePathGlob(`${'**/a/'.repeat(30)}b`))('a/'.repeat(25_000))).toBe(false);
});

const patterns = fc
  .array(fc.constantFrom('a', 'b', '/', '*', '**', '?', '[', ']', '!', '^', '-', '{', ',', '}', '\\', '.', '[ab]', '{a,b}'), {
    maxLength: 12,
  })
  .map((parts) => parts.join(''));

test('compiling never throws, and neither does testing', () => {
  const anything = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)) }),
    patterns,
  );
  fc.assert(
    fc.property(anything, anything, (pattern, path) => {
      const compiled = compilePathGlob(pattern);
      if (compiled.ok) expect(typeof compiled.test(path)).toBe('boolean');
      else expect(compiled.error.message.length * compiled.error.remedy.length).toBeGreaterThan(0);
    }),
    { numRuns: 3000 },
  );
});

test('what is well-formed for the glob is well-formed for the engine', () => {
  fc.assert(
    fc.property(patterns, (pattern) => {
      const compiled = compilePathGlob(pattern);
      if (!compiled.ok) expect(compiled.error.message).not.toContain('regular expression');
    }),
    { numRuns: 3000 },
  );
});

/**
 * The definition of a match, one case a line. The pattern is a list of segments or of single characters. It has no braces, and `**`
 * only as a whole segment.
 */
function matchesByDefinition(pattern: string[], path: string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return path.length === 0;
  if (first === '**') return matchesByDefinition(rest, path) || (path.length > 0 && matchesByDefinition(pattern, path.slice(1)));
  return path[0] !== undefined && segmentMatches(first, path[0]) && matchesByDefinition(rest, path.slice(1));
}

function segmentMatches(pattern: string, text: string): boolean {
  if (pattern === '') return text === '';
  if (pattern[0] === '*') return segmentMatches(pattern.slice(1), text) || (text !== '' && segmentMatches(pattern, text.slice(1)));
  return text !== '' && (pattern[0] === '?' || pattern[0] === text[0]) && segmentMatches(pattern.slice(1), text.slice(1));
}

test('equals the definition', () => {
  const segment = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 3 });
  const globSegment = fc
    .string({ unit: fc.constantFrom('a', 'b', '?', '*'), minLength: 1, maxLength: 3 })
    .filter((written) => !written.includes('**'));
  const globs = fc.tuple(globSegment, fc.array(fc.oneof(globSegment, fc.constant('**')), { minLength: 1, maxLength: 4 }));
  fc.assert(
    fc.property(globs, fc.array(segment, { minLength: 1, maxLength: 5 }), ([head, tail], path) => {
      const glob = [head, ...tail].filter((written, index, all) => written !== '**' || all[index - 1] !== '**');
      expect(accepted(compilePathGlob(glob.join('/')))(path.join('/'))).toBe(matchesByDefinition(glob, path));
    }),
    { numRuns: 3000 },
  );
});

test('alternatives equal the patterns they abbreviate', () => {
  const piece = fc.string({ unit: fc.constantFrom('a', 'b', '?', '*', '/'), minLength: 1, maxLength: 4 }).map((written) => `a${written}a`);
  const path = fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 10 }).map((written) => `x/a${written}a`);
  fc.assert(
    fc.property(piece, piece, fc.oneof(piece, fc.constant('')), path, (left, right, end, text) => {
      const together = accepted(compilePathGlob(`x/{${left},${right}}${end}`))(text);
      const apart = [left, right].some((alternative) => accepted(compilePathGlob(`x/${alternative}${end}`))(text));
      expect(together).toBe(apart);
    }),
    { numRuns: 3000 },
  );
});
