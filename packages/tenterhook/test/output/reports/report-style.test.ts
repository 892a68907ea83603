import fc from 'fast-check';
import { markedLine, paragraph, plainStyle, shortenPath, shortenPaths, tableLines } from '../../../src/output/reports/report-style.js';

const style = (width: number) => ({ ...plainStyle, width });
const here = { directory: '/srv/app' };

test.each([
  ['/srv/app/.llxprt/settings.json', '.llxprt/settings.json'],
  ['/srv/app/..data/x', '..data/x'],
  ['/srv/application/x', '/srv/application/x'],
  ['/srv/x', '/srv/x'],
  ['/srv/app', '/srv/app'],
])('the file %s is shown as %s in /srv/app', (file, shown) => {
  expect(shortenPath(file, here)).toBe(shown);
  expect(shortenPath(file, {})).toBe(file);
});

test('in a sentence each file of the directory is shortened, and a longer path that contains it is not', () => {
  const text = '/srv/app/a.json:3  "x": see /srv/app/b.json, (/srv/app/c), "/srv/app/d" and /mnt/srv/app/e; not /srv/app.';
  expect(shortenPaths(text, here)).toBe('a.json:3  "x": see b.json, (c), "d" and /mnt/srv/app/e; not /srv/app.');
  expect(shortenPaths(text, { directory: '/' })).toBe(text);
});

const words = fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1, maxLength: 30 });

test('a paragraph has every word whole and in order, within the width', () => {
  fc.assert(
    fc.property(words, fc.integer({ min: 30, max: 100 }), fc.integer({ min: 0, max: 8 }), (list, width, hanging) => {
      const lines = paragraph(list.join(' '), { indent: 2, hanging: 2 + hanging }, style(width));
      expect(lines.join(' ').trim().split(/\s+/)).toEqual(list);
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
      for (const [index, line] of lines.entries()) expect(line).toMatch(new RegExp(`^ {${index === 0 ? 2 : 2 + hanging}}\\S`));
    }),
  );
});

test('what another program reads is one line, bounded and escaped', () => {
  expect(paragraph(`\u001b[2J${'word '.repeat(500)}`, { indent: 1, max: 50 }, plainStyle)).toEqual([
    expect.stringMatching(/^ \\x1b\[2J(word )+.*…$/),
  ]);
});

test('the last cell of a table is wrapped beside the others, or below them if there is no room', () => {
  const rows = [
    ['a-name', 'string', 'one two three four five six seven eight'],
    ['b', '', ''],
  ];
  expect(tableLines(rows, 2, style(50))).toEqual(['  a-name  string  one two three four five six', '                  seven eight', '  b']);
  expect(tableLines(rows, 2, style(30))).toEqual(['  a-name  string', '      one two three four five', '      six seven eight', '  b']);
});

test('what is said of a hook is beside its id, or below it', () => {
  const hook = { mark: '●', look: 'green', hookId: 'llxprt/project/BeforeTool/guard', said: 'would run' } as const;
  expect(markedLine(hook, style(60))).toEqual(['  ● llxprt/project/BeforeTool/guard  would run']);
  expect(markedLine(hook, style(40))).toEqual(['  ● llxprt/project/BeforeTool/guard', '      would run']);
  expect(
    markedLine({ ...hook, said: '' }, style(25))
      .join('')
      .replace(/\s/g, ''),
  ).toBe('●llxprt/project/BeforeTool/guard');
});
