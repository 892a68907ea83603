import { reportMisspelledKeys } from '../../../src/parts.js';
import { reportForeignFields } from '../../../src/shared/lint/unknown-fields.js';
import { inventedReporter } from '../settings/invented-document.js';

const reported = (value: Record<string, unknown>, eventName?: 'BeforeTool') => {
  const reporter = inventedReporter();
  reportMisspelledKeys(value, ['command', 'timeout', 'name'], ['hooks', 0], 'a hook', reporter, eventName);
  return reporter.diagnostics;
};

test.each([
  ['comand', 'command'],
  ['Command', 'command'],
  ['time_out', 'timeout'],
  ['timeouts', 'timeout'],
])('%s is probably %s', (key, meant) => {
  expect(reported({ [key]: 1 }, 'BeforeTool')).toEqual([
    expect.objectContaining({
      code: 'invalid_field',
      severity: 'warning',
      message: `"${key}" is not a field of a hook and is ignored.`,
      remedy: `Did you mean "${meant}"?`,
      path: `hooks[0].${key}`,
      eventName: 'BeforeTool',
    }),
  ]);
});

test('each near miss is said, also beside the key that was meant', () => {
  expect(reported({ command: 'x', comand: 'y', tiemout: 1 }).map(({ path }) => path)).toEqual(['hooks[0].comand', 'hooks[0].tiemout']);
});

test('keys that are known, or like none, pass', () => {
  expect(reported({ command: 'x', timeout: 1, name: 'n', note: 'like none', '': 1, $id: 1, [`command${'x'.repeat(5000)}`]: 1 })).toEqual(
    [],
  );
});

test('a name of fewer than four letters is near to too many others: it counts only if it contains these letters', () => {
  const said = (value: Record<string, unknown>) => {
    const reporter = inventedReporter();
    reportMisspelledKeys(value, ['if', 'env', 'type'], [], 'a hook', reporter);
    return reporter.diagnostics.map(({ remedy }) => remedy);
  };
  expect(said({ id: 1, ip: 1, tip: 1, end: 1, envy: 1 })).toEqual([]);
  expect(said({ IF: 1, Env: 1, typ: 1 })).toEqual(['Did you mean "if"?', 'Did you mean "env"?', 'Did you mean "type"?']);
});

test("a field that another format has is that one's, and no slip", () => {
  const reporter = inventedReporter();
  reportMisspelledKeys({ asyncRewake: 1, once: 1 }, ['asyncWake', 'onceS'], [], 'a hook', reporter);
  expect(reporter.diagnostics).toEqual([]);
});

test('where no event is known the diagnostic has none', () => {
  expect(reported({ comand: 1 })[0]).not.toHaveProperty('eventName');
});

const foreign = (fields: Record<string, unknown>, known: readonly string[] = ['command', 'timeout'], elsewhere?: readonly string[]) => {
  const reporter = inventedReporter();
  reportForeignFields(fields, known, ['hooks', 0], 'a hook', reporter, 'BeforeTool', elsewhere);
  return reporter.diagnostics;
};

test.each([
  [{ if: 'Bash(rm *)' }, 'it restricts nothing', 'Narrow the matcher, or decide inside the hook.'],
  [{ args: ['x'] }, 'they are not passed to the command', 'Write them into "command".'],
  [{ async: true }, 'the agent waits for the hook', 'Remove it.'],
  [{ cwd: '/x' }, 'the hook runs in the working directory of the event', 'Write "cd … &&" into "command".'],
  [{ enabled: false }, 'nothing is switched off', 'Remove the hooks that should not run.'],
  [{ disabled: true }, 'nothing is switched off', 'Remove the hooks that should not run.'],
  [{ once: true }, 'the hook runs every time', 'Remove it.'],
  [{ env: { A: 'b' } }, 'it sets no variables', 'Set variables in "command": NAME=value ….'],
  [{ continueOnError: false }, 'if the hook fails, the operation continues', 'Deny inside the hook.'],
])('of %j it is said that the field has no effect', (fields, effect, remedy) => {
  const [key] = Object.keys(fields) as [string];
  expect(foreign(fields)).toEqual([
    expect.objectContaining({
      code: 'invalid_field',
      severity: 'warning',
      message: `"${key}" is not a field of a hook in this format and is ignored: ${effect}.`,
      remedy,
      path: `hooks[0].${key}`,
      eventName: 'BeforeTool',
    }),
  ]);
});

test('where the format has another field for the same, the remedy has it', () => {
  expect(foreign({ run_in_background: true }, ['async'])).toMatchObject([{ remedy: 'Write "async": true.' }]);
  expect(foreign({ blocking: false }, ['async'])).toMatchObject([{ remedy: 'Write "async": true.' }]);
  expect(foreign({ onFailure: 'block' }, ['onError'])).toMatchObject([{ remedy: 'Write "onError": "block".' }]);
  expect(foreign({ onError: 'block' }, ['onFailure'])).toMatchObject([{ remedy: 'Write "onFailure": "block".' }]);
  expect(foreign({ failClosed: true }, ['onError'])).toMatchObject([{ remedy: 'Write "onError": "block".' }]);
});

test('a field that stands a level too high or too low is sent to its own', () => {
  expect(foreign({ matcher: 'x' }, ['command'], ['matcher', 'hooks'])).toMatchObject([
    { remedy: 'Write the field into the group, next to "hooks".' },
  ]);
  const reporter = inventedReporter();
  reportForeignFields({ timeout: 5 }, ['matcher', 'hooks'], [], 'a hook group', reporter, 'BeforeTool', ['command', 'timeout']);
  expect(reporter.diagnostics).toMatchObject([
    {
      message: '"timeout" is not a field of a hook group in this format and is ignored: each hook has its own timeout.',
      remedy: 'Write the field into the hooks of the group.',
    },
  ]);
});

test('what is as it is anyway, what only labels a hook, and what the format knows pass', () => {
  const usual = { enabled: true, disabled: false, async: false, asyncRewake: false, once: false, blocking: true, continueOnError: true };
  expect(
    foreign({ ...usual, failClosed: false, run_in_background: false, onFailure: 'continue', shell: 'bash', sequential: false }),
  ).toEqual([]);
  expect(foreign({ id: 'x', name: 'n', description: 'd', statusMessage: 's', comment: 'c', note: 'n' })).toEqual([]);
  expect(foreign({ if: 'x', async: true, timeout: 1 }, ['if', 'async', 'timeout'])).toEqual([]);
  expect(foreign({ if: undefined, env: null })).toEqual([]);
});
