import { onErrorField, onErrorSchema } from '../../../src/parts.js';
import { envField, textField } from '../../../src/shared/settings/hook-fields.js';
import { document, inventedReporter } from './invented-document.js';

function reading() {
  const reporter = inventedReporter();
  return { reporter, context: { document, reporter, dialect: 'invented', eventName: 'BeforeTool', dialectEvent: 'before' } as const };
}

test.each<[unknown, string | undefined, boolean]>([
  ['a', 'a', true],
  [undefined, undefined, true],
  ['', undefined, false],
  [7, undefined, false],
])('the text %j is read as %j; in order: %s', (name, expected, isRight) => {
  const { reporter, context } = reading();
  expect(textField({ name }, 'name', ['hook'], context)).toBe(expected);
  expect(reporter.diagnostics.map(({ code, path, eventName }) => [code, path, eventName])).toEqual(
    isRight ? [] : [['invalid_field', 'hook.name', 'BeforeTool']],
  );
});

test.each<[unknown, Record<string, string>, string[]]>([
  [undefined, {}, []],
  [{ A: '1', B: '2' }, { A: '1', B: '2' }, []],
  [{ A: '1', B: 2 }, { A: '1' }, ['hook.env.B']],
  [['A=1'], {}, ['hook.env']],
])('the environment %j is read as %j', (env, expected, paths) => {
  const { reporter, context } = reading();
  expect(envField({ env }, ['hook'], context)).toEqual(expected);
  expect(reporter.diagnostics.map(({ path }) => path)).toEqual(paths);
});

test('what is not an object has no fields', () => {
  const { context } = reading();
  expect([textField(undefined, 'name', [], context), envField(undefined, [], context)]).toEqual([undefined, {}]);
});

test.each([
  [undefined, 'continue'],
  ['continue', 'continue'],
  ['block', 'block'],
])('%j means %s', (value, meaning) => {
  const reporter = inventedReporter();
  expect(onErrorField(value, ['hooks', 0], { reporter, eventName: 'BeforeTool' })).toBe(meaning);
  expect(reporter.diagnostics).toEqual([]);
});

test.each([
  ['deny', '"deny"'],
  ['Block', '"Block"'],
  [true, 'true'],
  [null, 'null'],
])('%j is an error that says that the hook is open, because its author meant something by it', (value, shown) => {
  const reporter = inventedReporter();
  expect(onErrorField(value, ['hooks', 0], { reporter, eventName: 'BeforeTool', hookId: 'h' })).toBe('continue');
  expect(reporter.diagnostics).toEqual([
    expect.objectContaining({
      code: 'invalid_field',
      severity: 'error',
      message: `"onError" is ${shown}; if this hook fails, the operation continues.`,
      remedy: 'Write "continue" or "block".',
      path: 'hooks[0].onError',
      line: 4,
      eventName: 'BeforeTool',
      hookId: 'h',
    }),
  ]);
});

test('of a hook that has no id yet the diagnostic has none', () => {
  const reporter = inventedReporter();
  onErrorField(0, [], { reporter, eventName: 'BeforeTool' });
  expect(reporter.diagnostics[0]).not.toHaveProperty('hookId');
});

test('its schema takes the two values alone', () => {
  expect(['continue', 'block', 'deny'].map((value) => onErrorSchema.safeParse(value).success)).toEqual([true, true, false]);
  expect(onErrorSchema.parse(undefined)).toBe('continue');
});
