import fc from 'fast-check';
import type { Compiled } from '../src/index.js';
import { compileRegex } from '../src/regex.js';
import { expectRefused } from './refused-regex.js';

function accepted(compiled: Compiled): (text: string) => boolean {
  if (!compiled.ok) throw new Error(`refused: ${compiled.error.message}`);
  return compiled.test;
}

const searches: Record<string, [source: string, text: string, expected: boolean]> = {
  'a plain name is searched for': ['write', 'overwrite_x', true],
  'anchors make it exact': ['^write$', 'overwrite_x', false],
  'case counts': ['bash', 'Bash', false],
  'the flag i can be written inline': ['(?i)bash', 'Bash', true],
  'a dot is not a newline': ['a.b', 'a\nb', false],
  'a dot is one code point': ['^.$', '😀', true],
  'a dollar is the end of the text, not of its last line': ['a$', 'a\n', false],
  'a caret is the beginning of the text, not of a line': ['^b', 'a\nb', false],
  'an empty expression is found everywhere': ['', 'abc', true],
  'named groups are accepted': ['(?<tool>write)_(?P<kind>file)', 'write_file', true],
  'repeat counts inside \\Q and \\E are text': ['\\Q{1000}\\E', '{1000}', true],
};

test.each(Object.entries(searches))('%s', (_, [source, text, expected]) => {
  expect(accepted(compileRegex(source))(text)).toBe(expected);
});

const wholes: Record<string, [source: string, text: string, expected: boolean]> = {
  'a part is not enough': ['write', 'overwrite', false],
  'the whole text is': ['.*write', 'overwrite', true],
  'a shorter first alternative does not hide a longer one': ['a|ab', 'ab', true],
  'a lazy repeat is stretched': ['a??', 'a', true],
  'anchors do no harm': ['^a$', 'a', true],
};

test.each(Object.entries(wholes))('with wholeMatch, %s', (_, [source, text, expected]) => {
  expect(accepted(compileRegex(source, { wholeMatch: true }))(text)).toBe(expected);
});

test('with dotMatchesNewline, a dot is a newline too', () => {
  expect(accepted(compileRegex('^a.b$', { dotMatchesNewline: true }))('a\nb')).toBe(true);
  expect(accepted(compileRegex('a.*', { dotMatchesNewline: true, wholeMatch: true }))('a\n\nb')).toBe(true);
});

test('an expression that is catastrophic elsewhere gets its answer', () => {
  const text = `${'a'.repeat(49_999)}b`;
  expect(accepted(compileRegex('^(a+)+$'))(text)).toBe(false);
  expect(accepted(compileRegex('(a+)+', { wholeMatch: true }))(text)).toBe(false);
  expect(accepted(compileRegex('^(a|a)*$'))(text)).toBe(false);
  expect(accepted(compileRegex('^(a+)+$'))('a'.repeat(50_000))).toBe(true);
});

const refused: Record<string, [source: string, message: string, remedy: string]> = {
  'look-ahead': ['(?=rm)', '"(?=rm)" uses look-ahead ((?=), which the linear-time engine does not support', 'rm -rf'],
  'negative look-ahead': ['rm(?!x)', 'uses negative look-ahead ((?!)', 'Write what is allowed there'],
  'look-behind': ['(?<=a)b', 'uses look-behind ((?<=)', 'Match the text before it as well'],
  'negative look-behind': ['(?<!a)b', 'uses negative look-behind ((?<!)', 'Write what is allowed there'],
  'a back-reference by number': ['(a)\\1', 'uses a back-reference (\\1)', 'Repeat the expression'],
  'a back-reference by name': ['(?<x>a)\\k<x>', 'uses a back-reference (\\k)', 'Repeat the expression'],
  'a back-reference of Python behind a group of Python': ['(?P<x>a)(?P=x)', 'uses a back-reference ((?P=)', 'Repeat the expression'],
  'an atomic group': ['(?>a)', 'uses an atomic group ((?>)', '"(?:"'],
  'a \\u escape': ['\\u2026', 'uses \\u (\\u)', '\\x{2026}'],
  'an unclosed group': ['(a', '"(a" is not a regular expression of RE2: missing closing )', 'Close the "("'],
  'an unclosed class': ['[a', 'missing closing ]', 'Close the "["'],
  'a glob taken for an expression': ['*.ts', 'missing argument to repetition operator: "*"', '".*"'],
  'a possessive repeat': ['a++', 'invalid nested repetition operator: "++"', 'one repetition'],
  'a reversed range': ['[z-a]', 'invalid character class range: "z-a"', 'smaller end first'],
  'a trailing backslash': ['a\\', 'trailing backslash', 'for a backslash'],
  'a count above a thousand': ['a{1001}', 'invalid repeat count', 'at most 1000'],
  'nested counts whose product is above a thousand': ['(a{1000}){1000}', 'invalid repeat count', 'at most 1000'],
  'groups a thousand deep': [`${'('.repeat(2000)}a${')'.repeat(2000)}`, 'nests too deeply', 'Remove groups'],
  'repeats that the engine refuses by size': ['.{1000}'.repeat(1400), 'too large', 'lower its repeat counts'],
  'repeats that the engine accepts, but would take seconds for': ['.{1000}'.repeat(100), 'too large', 'split it'],
  'more than 10,000 characters': ['a'.repeat(10_001), 'is 10001 characters long; the limit is 10000', 'Split the pattern'],
};

test.each(Object.entries(refused))('%s is a value with a remedy', (_, row) => expectRefused(...row));

test('the longest literal is accepted', () => {
  expect(accepted(compileRegex('a'.repeat(10_000)))('b')).toBe(false);
});

test('a message is bounded and holds no control characters', () => {
  const compiled = compileRegex(`(\u001b[31m\n${'a'.repeat(500)}`);
  const message = compiled.ok ? '' : compiled.error.message;
  expect(message).toContain('"(\\u001b[31m\\u000a');
  expect(message.length).toBeLessThan(200);
});

const expressions = fc
  .array(
    fc.constantFrom('a', 'b', '(', ')', '|', '*', '+', '?', '{2}', '{0,3}', '[ab]', '[^', '.', '^', '$', '\\', '(?:', '(?=', '\\1', '\n'),
    {
      maxLength: 12,
    },
  )
  .map((parts) => parts.join(''));

test('compiling never throws, and neither does testing', () => {
  const anything = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)) }),
    expressions,
  );
  fc.assert(
    fc.property(anything, anything, fc.boolean(), fc.boolean(), (source, text, wholeMatch, dotMatchesNewline) => {
      const compiled = compileRegex(source, { wholeMatch, dotMatchesNewline });
      if (compiled.ok) expect(typeof compiled.test(text)).toBe('boolean');
      else expect(compiled.error.message.length * compiled.error.remedy.length).toBeGreaterThan(0);
    }),
    { numRuns: 3000 },
  );
});

test('wholeMatch equals a search between anchors', () => {
  fc.assert(
    fc.property(expressions, fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 8 }), (source, text) => {
      const whole = compileRegex(source, { wholeMatch: true });
      const anchored = compileRegex(`\\A(?:${source})\\z`);
      // "a)(b" is a valid expression only between the anchors.
      if (whole.ok && anchored.ok) expect(whole.test(text)).toBe(anchored.test(text));
    }),
    { numRuns: 3000 },
  );
});
