import { Reporter } from '../../../src/parts.js';
import { document, inventedReporter } from './invented-document.js';

test('a diagnostic has its place, and whose document it is of', () => {
  const reporter = inventedReporter();
  const more = { remedy: 'Fix it.', eventName: 'BeforeTool', hookId: 'a/b/c/d' };
  const diagnostic = reporter.report('invalid_hook', 'error', ['hooks', 'a b', 0, 'run'], 'It is broken.', more);
  expect(diagnostic).toEqual({
    code: 'invalid_hook',
    severity: 'error',
    message: 'It is broken.',
    file: '/srv/app/hooks.json',
    line: 5,
    column: 1,
    path: 'hooks["a b"][0].run',
    dialect: 'invented',
    source: 'project',
    ...more,
  });
});

test('what is not known is not a field', () => {
  const reporter = new Reporter({ source: 'settings', value: {}, locate: () => undefined }, 'invented');
  expect(reporter.report('invalid_hook', 'note', [], 'm')).toStrictEqual({
    code: 'invalid_hook',
    severity: 'note',
    message: 'm',
    path: '',
    dialect: 'invented',
    source: 'settings',
  });
});

test('all that was reported is kept, in order', () => {
  const reporter = new Reporter(document, 'invented');
  const reported = [
    reporter.report('invalid_hook', 'error', [], 'one'),
    reporter.report('invalid_field', 'warning', [], 'two'),
    reporter.report('invalid_hook', 'error', [], 'one'),
  ];
  expect(reporter.diagnostics).toEqual(reported);
});
