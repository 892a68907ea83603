import { withTomlBlock } from '../../src/install/toml-block.js';

test.each([
  ['an empty file', ''],
  ['a file', 'model = "m"\n'],
  ['a file with CR LF', 'model = "m"\r\n[a]\r\nb = 1\r\n'],
])('a block is added to %s, replaced and removed again', (_what, text) => {
  const first = withTomlBlock(text, '/a', '[x]\ny = 1\n');
  expect(first.startsWith(text)).toBe(true);
  expect(first).toContain('y = 1');
  expect(first.includes('\n') && /[^\r]\n/.test(first)).toBe(!text.includes('\r'));
  const second = withTomlBlock(first, '/a', '[x]\ny = 2\n');
  expect(second).toBe(first.replace('y = 1', 'y = 2'));
  expect(withTomlBlock(second, '/a', undefined)).toBe(text);
});

test('the blocks of two files do not affect one another', () => {
  const both = withTomlBlock(withTomlBlock('', '/a', 'a = 1'), '/b', 'b = 1');
  expect(withTomlBlock(both, '/a', undefined)).toBe(withTomlBlock('', '/b', 'b = 1'));
});
