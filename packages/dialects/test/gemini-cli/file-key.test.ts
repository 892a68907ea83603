import { rivalFiles, withFile, withoutFile } from '../../src/gemini-cli/tools.js';

test.each(['read_file', 'write_file', 'replace'])(
  'the file of %s stands under file_path as well, where the host has another key',
  (tool) => {
    expect(withFile(tool, { path: 'a', x: 1 })).toEqual({ path: 'a', x: 1, file_path: 'a' });
  },
);

test('keys of its own are left as they are, and so are other tools', () => {
  for (const input of [{ file_path: 'a', path: 'b' }, { absolute_path: '/a', path: 'b' }, { a: 1 }, { path: 7 }]) {
    expect(withFile('write_file', input)).toBe(input);
  }
  const input = { path: 'a' };
  expect(withFile('list_directory', input)).toBe(input);
  expect(withFile('mcp_gh_write_file', input)).toBe(input);
});

test.each([
  [{ file_path: 'b' }, { path: 'b' }],
  [{ path: 'b' }, { path: 'b' }],
  [{ path: 'a', file_path: 'b' }, { path: 'b' }],
  [{ path: 'b', file_path: 'a' }, { path: 'b' }],
  [{ file_path: 'a' }, { path: 'a' }],
  [{ content: 'x' }, { content: 'x' }],
])('a hook that returns %j writes %j', (returned, written) => {
  expect(withoutFile('write_file', returned, { path: 'a', content: 'c' })).toEqual(written);
});

test('a file under a key of its own is written under that', () => {
  expect(withoutFile('write_file', { file_path: 'b' }, { file_path: 'a' })).toEqual({ file_path: 'b' });
  expect(withoutFile('write_file', { file_path: 'b' }, undefined)).toEqual({ file_path: 'b' });
});

test.each([null, '', 7])('%j is no file, and hides none', (file_path) => {
  expect(withFile('read_file', { path: '.env', file_path })).toMatchObject({ path: '.env', file_path: '.env' });
});

test('two files of one tool are rivals', () => {
  expect(rivalFiles('read_file', { path: '.env', file_path: 'README' })).toEqual(['file_path', 'path']);
  expect(rivalFiles('read_file', { path: 'a', file_path: 'a' })).toBeUndefined();
  expect(rivalFiles('read_file', { path: 'a', file_path: null })).toBeUndefined();
  expect(rivalFiles('list_directory', { path: 'a', dir_path: 'b' })).toBeUndefined();
});
