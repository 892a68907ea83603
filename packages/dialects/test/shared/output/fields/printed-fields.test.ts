import type { HookWarning } from '@tenterhook/protocol';
import { booleanRemedy, define, keptFields, reportOtherSpellings, wrongType } from '../../../../src/parts.js';

const kept = (printed: Record<string, unknown>) => {
  const warnings: HookWarning[] = [];
  return { fields: keptFields(printed, (field) => field.startsWith('known'), 'The output', warnings), warnings };
};
const unknown = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`x${index}`, 1]));

test('known and unknown fields are kept in the order they were printed', () => {
  expect(kept({ b: 1, known: false, a: '' })).toEqual({ fields: ['b', 'known', 'a'], warnings: [] });
});

test('a field that is null does not count', () => {
  expect(kept({ known: null, a: null, b: undefined })).toEqual({ fields: ['b'], warnings: [] });
});

test('a thousand unknown fields pass, and known ones wherever they stand', () => {
  expect(kept(unknown(1000)).warnings).toEqual([]);
  const { fields, warnings } = kept({ ...unknown(1500), known: 1 });
  expect(fields).toHaveLength(1001);
  expect(fields.at(-1)).toBe('known');
  expect(warnings).toEqual([
    {
      code: 'too_many_fields',
      message: expect.stringContaining('The output has 1500 fields that are unknown in this format; only the first 1000'),
    },
  ]);
});

test('a field by the name of __proto__ is a field and no prototype', () => {
  const target: Record<string, unknown> = {};
  define(target, '__proto__', { a: 1 });
  expect(Object.keys(target)).toEqual(['__proto__']);
  expect(Object.getPrototypeOf(target)).toBe(Object.prototype);
  define(target, 'a', 1);
  define(target, 'a', 2);
  expect(target['a']).toBe(2);
});

test('a value of the wrong type is shown, bounded and on one line, with what to write', () => {
  expect(wrongType('a.b', 'true', booleanRemedy)).toEqual({
    code: 'wrong_type',
    message: 'a.b has an invalid value: "true"; it was dropped. Write true or false, without quotes.',
  });
  expect(wrongType('a', [1]).message).toBe('a has an invalid value: [1]; it was dropped.');
  const { message } = wrongType('a', `x\n${'x'.repeat(1000)}`);
  expect(message.length).toBeLessThan(130);
  expect(message).not.toContain('\n');
});

const warningsOf = (printed: Record<string, unknown>) => {
  const warnings: HookWarning[] = [];
  reportOtherSpellings(printed, ['updatedInput', 'decision'], 'The output', warnings);
  return warnings;
};

test.each([
  ['Decision', 'decision'],
  ['updated_input', 'updatedInput'],
  ['UPDATED-INPUT', 'updatedInput'],
])('%s is %s in other letters, and has no effect', (field, name) => {
  expect(warningsOf({ [field]: 1 })).toEqual([
    { code: 'other_spelling', message: `The output has a field "${field}", which has no effect. Write "${name}".` },
  ]);
});

test.each([
  ['the name itself', { decision: 1 }],
  ['a name that is merely similar', { decisions: 1 }],
  ['a field that holds null', { Decision: null }],
  ['a name that is too long to be one', { [`decision${'_'.repeat(64)}`]: 1 }],
])('nothing is said of %s', (_, printed) => {
  expect(warningsOf(printed)).toEqual([]);
});
