import { readDisabled, whereOf } from '../../../src/shared/settings/switches.js';
import { inventedReporter } from './invented-document.js';

test('a document without a file is named by its source', () => {
  expect([{ source: 'settings' }, { source: 'user', file: '/u.json' }].map(whereOf)).toEqual(['the settings "settings"', '/u.json']);
});

test.each<[unknown, readonly string[] | undefined, number]>([
  [undefined, undefined, 0],
  [['a'], ['a'], 0],
  // An invalid entry becomes an empty text, so that later entries keep their index.
  [[5, 'a'], ['', 'a'], 1],
  ['a', undefined, 1],
])('the list %j is read as %j', (disabled, expected, problems) => {
  const reporter = inventedReporter();
  expect(readDisabled({ hooksConfig: { disabled } }, reporter).disabled?.value).toEqual(expected);
  expect(reporter.diagnostics).toHaveLength(problems);
});
