import fc from 'fast-check';
import { compileMatcher } from '../../src/llxprt/matching.js';

function matches(pattern: string | undefined, subject: string): boolean {
  const compiled = compileMatcher(pattern);
  if (!compiled.ok) throw new Error(compiled.error.message);
  return compiled.matcher.kind === 'all' || compiled.matcher.test(subject);
}

const everything: (string | undefined)[] = [undefined, '', '*'];
test.each(everything)('%j matches everything without being tried', (pattern) => {
  expect(compileMatcher(pattern)).toEqual({ ok: true, matcher: { kind: 'all' } });
});

const cases: Record<string, ['glob' | 'regex', string, string, boolean]> = {
  'a star at the end is a glob on the whole name': ['glob', 'write_*', 'write_file', true],
  'a glob is not searched for': ['glob', 'write_*', 'overwrite_x', false],
  'a glob is not a regular expression with an optional underscore': ['glob', 'write_*', 'rewrite', false],
  'a star at the beginning works': ['glob', '*_file', 'write_file', true],
  'a star also matches nothing': ['glob', 'write*', 'write', true],
  'a question mark is one character': ['glob', 'read_?', 'read_a', true],
  'a question mark is not none': ['glob', 'read_?', 'read_', false],
  'each part of a list is on its own': ['glob', 'write_*|replace', 'replace', true],
  'no part of a list is searched for': ['glob', 'write_*|replace', 'replace_all', false],
  'a hyphen is a name character': ['glob', 'mcp-*', 'mcp-x', true],
  'a plain name is searched for': ['regex', 'write', 'overwrite_x', true],
  'a list of plain names is searched for': ['regex', 'startup|resume', 'startup', true],
  'an anchor makes a regular expression exact': ['regex', '^write$', 'write_file', false],
  'a dot makes it a regular expression': ['regex', 'write_.*', 'overwrite_x', true],
  'a prefix of MCP tools': ['regex', 'mcp__.*', 'mcp__github__push', true],
  'a dot matches a newline, as the star of a glob does': ['regex', '^mcp__.*__write$', 'mcp__a\nb__write', true],
  'a star matches a newline': ['glob', 'mcp__*__write', 'mcp__a\nb__write', true],
  'the end is the end of the name, not of a line': ['regex', '^write$', 'write\nx', false],
  'case counts in a glob': ['glob', 'write_*', 'Write_File', false],
  'case counts in a regular expression': ['regex', 'write', 'WRITE', false],
};

test.each(Object.entries(cases))('%s', (_, [kind, pattern, subject, expected]) => {
  expect(compileMatcher(pattern)).toMatchObject({ ok: true, matcher: { kind, text: pattern } });
  expect(matches(pattern, subject)).toBe(expected);
});

test.each(['[bad', '(?=rm)', '*.ts', 'a++', '('])('%s compiles as nothing, and the remedy says what to write', (pattern) => {
  const compiled = compileMatcher(pattern);
  expect(compiled).toMatchObject({ ok: false, error: { message: expect.stringMatching(/./), remedy: expect.stringMatching(/./) } });
});

test('a glob of more than 10,000 characters is refused, one of 10,000 is not', () => {
  expect(compileMatcher('*'.repeat(10_001)).ok).toBe(false);
  expect(matches('*a'.repeat(5000), 'a'.repeat(20_000))).toBe(true);
});

test('a pattern of name characters with a star or a question mark is always a glob, and never refused', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'Z', '0', '_', '-', '|', '*', '?'), maxLength: 12 });
  fc.assert(
    fc.property(text, fc.constantFrom('*', '?'), text, (before, star, after) => {
      const pattern = before + star + after;
      fc.pre(pattern !== '*');
      expect(compileMatcher(pattern)).toMatchObject({ ok: true, matcher: { kind: 'glob' } });
    }),
  );
});
