import { onErrorField, onErrorSchema } from '../../../src/parts.js';
import { inventedReporter } from './invented-document.js';

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
      message: `"onError" is ${shown}; a failure of this hook lets the operation go on.`,
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
