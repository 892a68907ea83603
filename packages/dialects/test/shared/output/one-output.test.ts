import type { HookOutput } from '@tenterhook/protocol';
import fc from 'fast-check';
import { oneOutputOf } from '../../../src/shared/output/one-output.js';

const oneOf = (...outputs: HookOutput[]) => oneOutputOf(outputs.map((output) => ({ output, warnings: [] }))).output;

const rows: Record<string, [HookOutput[], HookOutput]> = {
  'of one object everything but an allow': [[{ decision: 'allow', systemMessage: 'm' }], { systemMessage: 'm' }],
  'a deny, wherever it stands': [[{ decision: 'deny', reason: 'no' }, { decision: 'ask' }, {}], { decision: 'deny', reason: 'no' }],
  'a deny by its other name': [[{ decision: 'block' }, { decision: 'ask' }], { decision: 'block' }],
  'an ask before an allow': [
    [
      { decision: 'ask', reason: 'sure?' },
      { decision: 'approve', reason: 'yes' },
    ],
    { decision: 'ask', reason: 'sure?' },
  ],
  'the reason of the decision, and none where it has none': [[{ decision: 'deny' }, { reason: 'mine' }], { decision: 'deny' }],
  'of two that decide alike the last': [
    [
      { decision: 'deny', reason: 'a' },
      { decision: 'deny', reason: 'b' },
    ],
    { decision: 'deny', reason: 'b' },
  ],
  'other fields of the last alone': [
    [
      { decision: 'deny', systemMessage: 'a', hookSpecificOutput: { additionalContext: 'a' } },
      { hookSpecificOutput: { userMessage: 'b' } },
    ],
    { decision: 'deny', hookSpecificOutput: { userMessage: 'b' } },
  ],
  'any stop, with its reason': [
    [
      { continue: false, stopReason: 'a' },
      { continue: true, stopReason: 'b' },
    ],
    { continue: false, stopReason: 'a' },
  ],
  'of two stops the first': [
    [
      { continue: false, stopReason: 'a' },
      { continue: false, stopReason: 'b' },
    ],
    { continue: false, stopReason: 'a' },
  ],
};

test.each(Object.entries(rows))('%s', (_, [outputs, expected]) => {
  expect(oneOf(...outputs)).toEqual(expected);
});

test('warnings of all objects, in order', () => {
  const read = ['a', 'b'].map((message) => ({ output: {}, warnings: [{ code: 'no_effect', message }] }));
  expect(oneOutputOf(read).warnings.map(({ message }) => message)).toEqual(['a', 'b']);
});

test('no object takes an objection of another away', () => {
  const output = fc.record(
    { decision: fc.constantFrom('deny', 'block', 'ask', 'allow', 'approve'), continue: fc.boolean() },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.array(output, { minLength: 1 }), (outputs) => {
      const { decision, continue: goesOn } = oneOf(...(outputs as HookOutput[]));
      const said = outputs.map((entry) => entry.decision);
      const strictest = ['deny', 'block', 'ask'].filter((each) => said.includes(each as 'deny'));
      expect(decision === undefined).toBe(strictest.length === 0);
      if (strictest[0] !== undefined && strictest[0] !== 'ask') expect(['deny', 'block']).toContain(decision);
      expect(goesOn === false).toBe(outputs.some((entry) => entry.continue === false));
    }),
  );
});
