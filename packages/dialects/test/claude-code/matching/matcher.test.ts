import { compileMatcher } from '../../../src/claude-code/matching/matcher.js';
import { matches } from '../../../src/shared/name-matcher.js';

function fits(text: string | undefined, subject: string, isList = false): boolean {
  const compiled = compileMatcher(text, isList);
  if (!compiled.ok) throw new Error(compiled.error.message);
  return matches(compiled.matcher, subject);
}

test.each([undefined, '', '*', '.*'])('%j fits everything', (text) => {
  expect(fits(text, 'Bash')).toBe(true);
  expect(fits(text, '')).toBe(true);
});

test.each<[string, string, boolean]>([
  ['Edit|Write', 'Edit', true],
  ['Edit|Write', 'NotebookEdit', false],
  ['Edit, Write', 'Write', true],
  [' Edit ', 'Edit', true],
  ['Edit|', '', false],
  ['edit', 'Edit', false],
  ['Edit.*', 'NotebookEdit', true],
  ['^Edit', 'NotebookEdit', false],
  ['mcp__gh__.*', 'mcp__gh__search', true],
  ['mcp__gh', 'mcp__gh__search', false],
  ['web-search', 'web-search', true],
])('%j on %s: %s', (text, subject, expected) => {
  expect(fits(text, subject)).toBe(expected);
});

test('a list is not a pattern, whatever it contains', () => {
  expect(fits('rate.limit|over,loaded', 'over,loaded', true)).toBe(true);
  expect(fits('rate.limit', 'rateXlimit', true)).toBe(false);
});

test.each(['|', ' , ', '[', '(?=a)'])('%j cannot be used', (text) => {
  expect(compileMatcher(text, false)).toMatchObject({ ok: false, error: { remedy: expect.stringMatching(/./) } });
});
