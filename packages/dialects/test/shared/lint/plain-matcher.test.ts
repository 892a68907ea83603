import { isPlainName, longerNames, reportPlainMatcher } from '../../../src/shared/lint/plain-matcher.js';
import { inventedReporter } from '../settings/invented-document.js';

test('a name, or a list of names, holds nothing that says "pattern"', () => {
  expect(['write_file', 'a|b', 'mcp-x'].map(isPlainName)).toEqual([true, true, true]);
  expect(['^a$', 'a*', 'a.b', ''].map(isPlainName)).toEqual([false, false, false, false]);
});

test('the longer names are those that a name is a part of, and not the names themselves', () => {
  const known = ['write', 'write_file', 'overwrite', 'read'];
  const longer = (text: string) => longerNames(text, (name) => new RegExp(text).test(name), known);
  expect(longer('write')).toEqual(['write_file', 'overwrite']);
  expect(longer('write|write_file')).toEqual(['overwrite']);
  expect(longer('read')).toEqual([]);
  expect(longer('^write')).toEqual([]);
});

test.each([
  [['a1'], 'also matches a1.'],
  [['a1', 'a2'], 'also matches a1, a2.'],
  [['a1', 'a2', 'a3', 'a4'], 'also matches a1, a2, a3, ….'],
])('of %j it says %s', (longer, said) => {
  const reporter = inventedReporter();
  reportPlainMatcher('a', longer, { place: ['hooks'], reporter, eventName: 'BeforeTool' }, ([name]) => `=${name}`);
  expect(reporter.diagnostics).toMatchObject([
    { code: 'plain_matcher', severity: 'note', message: expect.stringContaining(said), remedy: 'Write "=a" to match exactly that name.' },
  ]);
});
