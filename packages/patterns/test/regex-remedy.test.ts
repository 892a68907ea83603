import { explainSyntaxError } from '../src/regex-remedy.js';

test('a description that is not known is passed on with a general remedy', () => {
  expect(explainSyntaxError('a', 'something new in re2js 3', '')).toEqual({
    message: '"a" is not a regular expression of RE2: something new in re2js 3',
    remedy: 'Write the pattern in the syntax of RE2: https://github.com/google/re2/wiki/Syntax.',
  });
});

test('a piece that is the whole source is not said twice', () => {
  expect(explainSyntaxError('[a', 'missing closing ]', '[a').message).toBe('"[a" is not a regular expression of RE2: missing closing ]');
});

test('a piece that the engine cut short is read from the source', () => {
  expect(explainSyntaxError('(?P<x>a)(?P>x)', 'invalid or unsupported Perl syntax', '(?P').message).toContain('a subroutine call ((?P>)');
});

test('a text that only looks like a construct elsewhere does not become the reason', () => {
  expect(explainSyntaxError('\\(?=a|b)', 'unexpected )', '\\(?=a|b)').message).toContain('unexpected )');
});
