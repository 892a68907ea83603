import { invalidSkip } from '../../../src/parts.js';
import { inventedReporter } from './invented-document.js';

test('a hook that cannot run says why, where and what to do, in its reason and in a warning', () => {
  const problem = inventedReporter().report('missing_command', 'error', ['hooks', 0], 'The hook has no "command".', {
    remedy: 'Write one.',
  });
  const message = '/srv/app/hooks.json:3:1  hooks[0]: The hook has no "command". Write one.';
  expect(invalidSkip(problem)).toEqual({ skipReason: 'invalid', reason: message, warning: { code: 'missing_command', message } });
});
