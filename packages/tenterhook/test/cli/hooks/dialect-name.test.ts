import { findDialect } from '../../../src/cli/hooks/dialect-name.js';

const known = ['llxprt', 'claude-code', 'gemini-cli', 'eca'].map((name) => ({ name }));

test.each([
  ['eca', 'eca'],
  ['claude-code', 'claude-code'],
  ['claude', 'claude-code'],
  ['gemini', 'gemini-cli'],
])('%s is %s', (given, name) => {
  expect(findDialect(given, known).name).toBe(name);
});

test.each([
  ['gemini-cl', '--dialect: unknown dialect "gemini-cl". Did you mean "gemini-cli"?'],
  ['ECA', '--dialect: unknown dialect "ECA". Did you mean "eca"?'],
  ['', '--dialect: unknown dialect "". Known dialects: llxprt, claude-code, gemini-cli, eca.'],
  ['constructor', '--dialect: unknown dialect "constructor". Known dialects: llxprt, claude-code, gemini-cli, eca.'],
])('%j is unknown', (given, message) => {
  expect(() => findDialect(given, known)).toThrow(message);
});

test('a beginning that several have names none of them', () => {
  expect(() => findDialect('gemini', [...known, { name: 'gemini-next' }], '--from')).toThrow('--from: unknown dialect "gemini"');
});
