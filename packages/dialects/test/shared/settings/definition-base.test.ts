import { invalidSkip } from '../../../src/parts.js';
import { definitionBase } from '../../../src/shared/settings/definition-base.js';
import { document, inventedReporter } from './invented-document.js';

test('whose a hook is, and where it stands', () => {
  const place = { document, dialect: 'invented', eventName: 'BeforeTool', dialectEvent: 'call', last: 'a/b', name: 'n', line: 7 } as const;
  expect(definitionBase(place)).toEqual({
    id: 'invented/project/BeforeTool/a%2Fb',
    dialect: 'invented',
    source: 'project',
    eventName: 'BeforeTool',
    dialectEvent: 'call',
    name: 'n',
    file: '/srv/app/hooks.json',
    line: 7,
  });
});

test('what is not known is not a field, and the event is spelt canonically', () => {
  const settings = { source: 'settings', value: {}, locate: () => undefined };
  expect(definitionBase({ document: settings, dialect: 'd', eventName: 'AfterTool', last: '0', line: undefined })).toStrictEqual({
    id: 'd/settings/AfterTool/0',
    dialect: 'd',
    source: 'settings',
    eventName: 'AfterTool',
    dialectEvent: 'AfterTool',
  });
});

test('a hook that cannot run says why, where and what to do, in its reason and in a warning', () => {
  const problem = inventedReporter().report('missing_command', 'error', ['hooks', 0], 'The hook has no "command".', {
    remedy: 'Write one.',
  });
  const message = '/srv/app/hooks.json:3:1  hooks[0]: The hook has no "command". Write one.';
  expect(invalidSkip(problem)).toEqual({ skipReason: 'invalid', reason: message, warning: { code: 'missing_command', message } });
});
