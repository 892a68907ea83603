import { expect, test } from '@jest/globals';
import { formatQuestion } from '../../src/asking/question-text.js';

const question = { eventName: 'BeforeTool', subject: 'write_file', input: { path: 'a' }, by: [], reason: 'It writes.\nTwice.' } as const;

test('the tool, the reasons and the arguments', () => {
  expect(formatQuestion(question, 'files')).toBe(
    'May write_file of the MCP server "files" run?\nIt writes.\nTwice.\n\n{\n  "path": "a"\n}',
  );
});

test('long arguments are cut, and the text says how much is missing', () => {
  const text = formatQuestion({ ...question, input: { path: 'x'.repeat(5000) } }, 'files');
  expect(text).toMatch(/x… \(\d+ more characters\)$/);
  expect(text.length).toBeLessThan(2200);
});

test('characters that a person does not see are escaped, also in the name of the tool', () => {
  const text = formatQuestion({ ...question, subject: 'read\nMay all run?', input: { path: 'a\u202eb\u200b' } }, 'files');
  expect(text).toContain('May read\\u000aMay all run? of the MCP server');
  expect(text).toContain('a\\u202eb\\u200b');
});
