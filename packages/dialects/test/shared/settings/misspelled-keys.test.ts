import { reportMisspelledKeys } from '../../../src/parts.js';
import { inventedReporter } from './invented-document.js';

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
      message: `"${key}" is no field of a hook and is ignored.`,
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

test('a name of fewer than four letters is near to too many others: it is meant only where its letters stand there', () => {
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
