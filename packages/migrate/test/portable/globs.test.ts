import { compileRegex, compileWildcard } from '@tenterhook/patterns';
import fc from 'fast-check';
import { globsOf } from '../../src/portable/globs.js';

const searched: Record<string, readonly string[]> = {
  write: ['*write*'],
  '^write_file$': ['write_file'],
  '^(write_file|replace)$': ['write_file', 'replace'],
  '^(?:read|write)_file$': ['read_file', 'write_file'],
  'write_file|^replace$': ['*write_file*', 'replace'],
  'mcp__gh__.*': ['*mcp__gh__*'],
  '^mcp__gh__(get|list)_.+$': ['mcp__gh__get_*', 'mcp__gh__list_*'],
  'Edit.*?': ['*Edit*'],
  '^files?$': ['files', 'file'],
  '.*': ['*'],
  '^a\\.b$': ['a.b'],
};

test.each(Object.entries(searched))('what is searched for, %s, is a list of texts', (source, globs) => {
  expect(globsOf(source, false)).toEqual(globs);
});

const whole: Record<string, readonly string[]> = {
  eca__shell_command: ['eca__shell_command'],
  'eca__(write|edit)_file': ['eca__write_file', 'eca__edit_file'],
  'eca__.*': ['eca__*'],
  'github__.*|^eca__read_file$': ['github__*', 'eca__read_file'],
};

test.each(Object.entries(whole))('what has to match the whole name, %s, is a list of texts', (source, globs) => {
  expect(globsOf(source, true)).toEqual(globs);
});

test.each(['\\w+', 'a+', 'a{2}', '[ab]c', 'a.c', '(?i)edit', 'a*', '\\bEdit\\b', '(a', 'a^b', '(a|b)+', 'a\\*'])(
  '%s says more than a list, and is left to be tried',
  (source) => {
    expect(globsOf(source, false)).toBeUndefined();
  },
);

test('a list that is too long to write out is left to be tried', () => {
  expect(globsOf('(a|b|c|d)(a|b|c|d)(a|b|c|d)(a|b|c|d)', true)).toBeUndefined();
});

const literal = fc.stringMatching(/^[a-z_]{1,3}$/);
const sourceText: fc.Arbitrary<string> = fc.letrec<{ pattern: string; part: string }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 3 },
    tie('part'),
    fc.tuple(tie('part'), tie('pattern')).map((parts) => parts.join('')),
    fc.tuple(tie('pattern'), tie('pattern')).map((parts) => `(${parts.join('|')})`),
    tie('pattern').map((inner) => `(?:${inner})?`),
  ),
  part: fc.oneof(literal, fc.constantFrom('.*', '.+', '_?', '^', '$', '\\.')),
})).pattern;

test('the list fits every text that the expression fits', () => {
  fc.assert(
    fc.property(sourceText, fc.stringMatching(/^[a-z_.]{0,6}$/), fc.boolean(), (source, text, wholeMatch) => {
      const compiled = compileRegex(source, { wholeMatch, dotMatchesNewline: true });
      const globs = globsOf(source, wholeMatch);
      fc.pre(compiled.ok && globs !== undefined);
      const fits = globs?.some((glob) => compileWildcard(glob)(text)) ?? false;
      // `.+` requires one more character than `*`. The translation may therefore match more calls, but never fewer.
      if (compiled.ok && compiled.test(text)) expect({ source, text, fits }).toEqual({ source, text, fits: true });
      else if (!source.includes('.+')) expect({ source, text, fits }).toEqual({ source, text, fits: false });
    }),
    { numRuns: 2000 },
  );
});
