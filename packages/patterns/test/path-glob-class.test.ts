import { readClass } from '../src/path-glob-class.js';

const table: Record<string, [pattern: string, source: string]> = {
  'members are written as code points': ['[a]', '[\\x{61}-\\x{61}]'],
  'a negated class excludes the slash': ['[!a]', '[^/\\x{61}-\\x{61}]'],
  'a range is cut around the slash': ['[.-0]', '[\\x{2e}-\\x{2e}\\x{30}-\\x{30}]'],
  'a range that begins at the slash loses it': ['[/-0]', '[\\x{30}-\\x{30}]'],
  'a range that ends at the slash loses it': ['[.-/]', '[\\x{2e}-\\x{2e}]'],
  'what remains of a lone slash matches nothing': ['[/]', '[^\\x{0}-\\x{10FFFF}]'],
  'a negated slash is every other character': ['[!/]', '[^/]'],
  'a hyphen in the first place is a member': ['[-a]', '[\\x{2d}-\\x{2d}\\x{61}-\\x{61}]'],
  'a closing bracket in the first place is a member, negated as well': ['[!]]', '[^/\\x{5d}-\\x{5d}]'],
};

test.each(Object.entries(table))('%s', (_, [pattern, source]) => {
  expect(readClass(pattern, Array.from(pattern), 0)).toEqual({ source, end: pattern.length - 1 });
});

test('reading begins and ends where the brackets are', () => {
  const pattern = 'x[ab]y';
  expect(readClass(pattern, Array.from(pattern), 1)).toMatchObject({ end: 4 });
});
