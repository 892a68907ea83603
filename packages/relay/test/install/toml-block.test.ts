import { withTomlBlock } from '../../src/install/toml-block.js';

test.each([
  ['an empty file', ''],
  ['a file', 'model = "m"\n'],
  ['a file without a line end', 'model = "m"'],
  ['a file with CR LF without a line end', 'model = "m"\r\nb = 1'],
  ['a file with CR LF', 'model = "m"\r\n[a]\r\nb = 1\r\n'],
])('a block is added to %s, replaced and removed again', (_what, text) => {
  const first = withTomlBlock(text, '/a', '[x."/a:0"]\ny = 1\n');
  expect(first.startsWith(text)).toBe(true);
  expect(first).toContain('y = 1');
  expect(first.includes('\n') && /[^\r]\n/.test(first)).toBe(!text.includes('\r'));
  const second = withTomlBlock(first, '/a', '[x."/a:0"]\ny = 2\n');
  expect(second).toBe(first.replace('y = 1', 'y = 2'));
  expect(withTomlBlock(second, '/a', undefined)).toBe(text);
});

test('the blocks of two files do not affect one another', () => {
  const both = withTomlBlock(withTomlBlock('', '/a', 'a = 1'), '/b', 'b = 1');
  expect(withTomlBlock(both, '/a', undefined)).toBe(withTomlBlock('', '/b', 'b = 1'));
});

test('a table that another program has written into the block stays', () => {
  const block = '[x."/a:0"]\ny = 1\n\n[x."/a:1"]\ny = 1\n';
  const end = '# tenterhook relay end';
  const added = '\n[projects."/srv"]\ntrust = true\n';
  const edited = withTomlBlock('b = 1\n', '/a', block).replace(end, `${added}${end}`);
  expect(withTomlBlock(edited, '/a', undefined)).toBe('b = 1\n[projects."/srv"]\ntrust = true\n');
  expect(withTomlBlock(edited, '/a', block)).toBe(withTomlBlock('b = 1\n[projects."/srv"]\ntrust = true\n', '/a', block));
  const unended = edited.replace(`${end}\n`, '');
  expect(withTomlBlock(unended, '/a', undefined)).toContain('[projects."/srv"]\ntrust = true\n');
});
