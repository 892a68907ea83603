import { withFileLines, withoutFileLines } from '../../../src/shared/tools/file-lines.js';

const cwd = '/srv/app';

test('several files are in file_path, a line each, next to the list of the host', () => {
  expect(withFileLines({ paths: ['a', '/etc/b'] }, cwd)).toEqual({ paths: ['a', '/etc/b'], file_path: '/srv/app/a\n/etc/b' });
  expect(withFileLines({ include: ['.env'] }, cwd)).toEqual({ include: ['.env'], file_path: '/srv/app/.env' });
});

test.each([{}, { paths: [] }, { paths: 7 }, { file_path: 'b' }])('%j is left as it is', (input) => {
  expect(withFileLines(input, cwd)).toBe(input);
});

test('one beside the list is one of them, and a text is a list of one', () => {
  expect(withFileLines({ paths: ['.env'], file_path: 'README' }, cwd)).toEqual({
    paths: ['.env'],
    file_path: '/srv/app/.env\n/srv/app/README',
  });
  expect(withFileLines({ paths: '.env', file_path: null }, cwd)).toEqual({ paths: '.env', file_path: '/srv/app/.env' });
  const input = { paths: ['.env'], file_path: 'README' };
  expect(withoutFileLines(withFileLines(input, cwd), input, cwd)).toEqual(input);
});

test('what comes back unchanged is the list of the host', () => {
  const input = { paths: ['a', 'b'], recursive: true };
  expect(withoutFileLines(withFileLines(input, cwd), input, cwd)).toEqual(input);
});

test('other files are the list from then on', () => {
  const input = { paths: ['a'], exclude: ['x'], include: ['b'] };
  expect(withoutFileLines({ ...input, file_path: '/srv/app/c\n/d' }, input, cwd)).toEqual({ exclude: ['x'], paths: ['/srv/app/c', '/d'] });
  expect(withoutFileLines({ exclude: [] }, input, cwd)).toEqual({ exclude: [] });
});
