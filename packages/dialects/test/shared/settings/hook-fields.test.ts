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

test('what is no object has no fields', () => {
  const { context } = reading();
  expect([textField(undefined, 'name', [], context), envField(undefined, [], context)]).toEqual([undefined, {}]);
});
