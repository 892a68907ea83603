import { reportForeignFields } from '../../../src/shared/lint/unknown-fields.js';
import { inventedReporter } from '../settings/invented-document.js';

const reported = (fields: Record<string, unknown>, known: readonly string[] = ['command', 'timeout'], elsewhere?: readonly string[]) => {
  const reporter = inventedReporter();
  reportForeignFields(fields, known, ['hooks', 0], 'a hook', reporter, 'BeforeTool', elsewhere);
  return reporter.diagnostics;
};

test.each([
  [{ if: 'Bash(rm *)' }, 'nothing is decided by it', 'Narrow the matcher, or decide inside of the hook.'],
  [{ args: ['x'] }, 'nothing is run with them', 'Write them into "command".'],
  [{ async: true }, 'the hook is waited for', 'Remove it.'],
  [{ cwd: '/x' }, 'the hook runs in the working directory of the event', 'Write "cd … &&" into "command".'],
  [{ enabled: false }, 'it switches nothing off', 'Remove what is not to run.'],
  [{ disabled: true }, 'it switches nothing off', 'Remove what is not to run.'],
  [{ once: true }, 'the hook runs every time', 'Remove it.'],
  [{ env: { A: 'b' } }, 'no variable is set by it', 'Set variables in "command": NAME=value ….'],
  [{ continueOnError: false }, 'a failure of the hook lets the operation go on', 'Deny inside of the hook.'],
])('of %j it is said that the field has no effect', (fields, effect, remedy) => {
  const [key] = Object.keys(fields) as [string];
  expect(reported(fields)).toEqual([
    expect.objectContaining({
      code: 'invalid_field',
      severity: 'warning',
      message: `"${key}" is no field of a hook in this format and is ignored: ${effect}.`,
      remedy,
      path: `hooks[0].${key}`,
      eventName: 'BeforeTool',
    }),
  ]);
});

test('where the format has another field for the same, the remedy has it', () => {
  expect(reported({ run_in_background: true }, ['async'])).toMatchObject([{ remedy: 'Write "async": true.' }]);
  expect(reported({ blocking: false }, ['async'])).toMatchObject([{ remedy: 'Write "async": true.' }]);
  expect(reported({ onFailure: 'block' }, ['onError'])).toMatchObject([{ remedy: 'Write "onError": "block".' }]);
  expect(reported({ onError: 'block' }, ['onFailure'])).toMatchObject([{ remedy: 'Write "onFailure": "block".' }]);
  expect(reported({ failClosed: true }, ['onError'])).toMatchObject([{ remedy: 'Write "onError": "block".' }]);
});

test('a field that stands a level too high or too low is sent to its own', () => {
  expect(reported({ matcher: 'x' }, ['command'], ['matcher', 'hooks'])).toMatchObject([
    { remedy: 'Write it into the group, beside "hooks".' },
  ]);
  const reporter = inventedReporter();
  reportForeignFields({ timeout: 5 }, ['matcher', 'hooks'], [], 'a hook group', reporter, 'BeforeTool', ['command', 'timeout']);
  expect(reporter.diagnostics).toMatchObject([
    {
      message: '"timeout" is no field of a hook group in this format and is ignored: every hook has a timeout of its own.',
      remedy: 'Write it into the hooks of the group.',
    },
  ]);
});

test('what is as it is anyway, what only labels a hook, and what the format knows pass', () => {
  const usual = { enabled: true, disabled: false, async: false, asyncRewake: false, once: false, blocking: true, continueOnError: true };
  expect(
    reported({ ...usual, failClosed: false, run_in_background: false, onFailure: 'continue', shell: 'bash', sequential: false }),
  ).toEqual([]);
  expect(reported({ id: 'x', name: 'n', description: 'd', statusMessage: 's', comment: 'c', note: 'n' })).toEqual([]);
  expect(reported({ if: 'x', async: true, timeout: 1 }, ['if', 'async', 'timeout'])).toEqual([]);
  expect(reported({ if: undefined, env: null })).toEqual([]);
});
