import { readDisabled, switchAt, whereOf } from '../../../src/shared/settings/switches.js';
import { document as inventedDocument, inventedReporter } from './invented-document.js';

test('a setting has its place, and the value as written if it is another one', () => {
  const document = { ...inventedDocument, locate: () => ({ line: 4, column: 2 }) };
  expect(switchAt(document, ['tools', 'enableHooks'], true)).toEqual({ value: true, key: 'tools.enableHooks', line: 4, column: 2 });
  expect(switchAt(document, ['disableAllHooks'], false, true)).toMatchObject({ value: false, key: 'disableAllHooks', written: true });
});

test('a document without a file is named by its source', () => {
  expect([{ source: 'settings' }, { source: 'user', file: '/u.json' }].map(whereOf)).toEqual(['the settings "settings"', '/u.json']);
});

test.each<[unknown, readonly string[] | undefined, number]>([
  [undefined, undefined, 0],
  [['a'], ['a'], 0],
  [['a', 5], ['a'], 1],
  ['a', undefined, 1],
])('the list %j is read as %j', (disabled, expected, problems) => {
  const reporter = inventedReporter();
  expect(readDisabled({ hooksConfig: { disabled } }, inventedDocument, reporter).disabled?.value).toEqual(expected);
  expect(reporter.diagnostics).toHaveLength(problems);
});
