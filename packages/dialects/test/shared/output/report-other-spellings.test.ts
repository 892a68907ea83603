import type { HookWarning } from '@tenterhook/protocol';
import { reportOtherSpellings } from '../../../src/parts.js';

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
