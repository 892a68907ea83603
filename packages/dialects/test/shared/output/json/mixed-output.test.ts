import type { HookOutput } from '@tenterhook/protocol';
import fc from 'fast-check';
import { mergeObjections } from '../../../../src/shared/output/json/mixed-output.js';
import { codesOf } from '../../../printed.js';
import { allow, ask, decoded, deny, says } from '../invented-format.js';

const outputRows: Record<string, [HookOutput[], HookOutput]> = {
  'of an allow nothing, with all that is beside it': [[{ decision: 'allow', reason: 'ok', systemMessage: 'm', stopReason: 's' }], {}],
  'a deny, wherever it stands': [[{ decision: 'deny', reason: 'no' }, { decision: 'ask' }, {}], { decision: 'deny', reason: 'no' }],
  'a deny by its other name': [[{ decision: 'block' }, { decision: 'ask' }], { decision: 'block' }],
  'an ask before an allow': [
    [
      { decision: 'ask', reason: 'sure?' },
      { decision: 'approve', reason: 'yes' },
    ],
    { decision: 'ask', reason: 'sure?' },
  ],
  'the reason of the decision, and no reason if the decision has none': [[{ decision: 'deny' }, { reason: 'mine' }], { decision: 'deny' }],
  'of two that decide alike the last': [
    [
      { decision: 'deny', reason: 'a' },
      { decision: 'deny', reason: 'b' },
    ],
    { decision: 'deny', reason: 'b' },
  ],
  'no field beside an objection': [
    [
      { decision: 'deny', systemMessage: 'a', suppressOutput: true, hookSpecificOutput: { additionalContext: 'a' } },
      { hookSpecificOutput: { userMessage: 'b' } },
    ],
    { decision: 'deny' },
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

test.each(Object.entries(outputRows))('%s', (_, [outputs, expected]) => {
  expect(mergeObjections(outputs)).toEqual(expected);
});

describe('what is ignored is named', () => {
  const messageOf = (...objects: object[]) => decoded({ stdout: `log\n${objects.map(says).join('\n')}` }).warnings[0]?.message;
  const around = 'stdout mixes JSON with other text ("log"). Only a deny, an ask and a stop in it have an effect.';
  const remedy = 'Print one JSON object and nothing else, and logs to stderr.';

  test.each<[string, object[], string]>([
    ['nothing', [{ ...deny, why: 'no' }, ask, { continue: false, stopReason: 's' }, {}, { hint: null }], ''],
    ['an allow', [allow], ' Ignored: say.verdict "allow".'],
    ['a decision that is not an objection in this format', [{ say: { verdict: 'DENY' } }], ' Ignored: say.verdict "DENY".'],
    ['one without a text', [{ say: 5 }], ' Ignored: say.'],
    ['fields beside an objection', [{ ...deny, hint: 'c' }], ' Ignored: hint.'],
    [
      'fields of an event',
      [{ ...deny, hookSpecificOutput: { hookEventName: 'x', tool_input: {}, additionalContext: 'c' } }],
      ' Ignored: hookSpecificOutput.tool_input, hookSpecificOutput.additionalContext.',
    ],
    ['each once', [{ hint: 'a' }, { hint: 'b' }], ' Ignored: hint.'],
    ['five, and the number of others', [{ a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1 }], ' Ignored: a, b, c, d, e and 2 more.'],
    ['odd names', [{ 'a\u001B[2J': 1, [`${'x'.repeat(100)}`]: 1 }], ` Ignored: "a\\u001b[2J", "${'x'.repeat(58)}….`],
  ])('%s', (_, objects, ignored) => {
    expect(messageOf(...objects)).toBe(`${around}${ignored} ${remedy}`);
  });

  test('a field that is the reason of an objection counts', () => {
    expect(decoded({ exitCode: 2, stdout: `log\n${says({ ...deny, hint: 'no' })}` })).toMatchObject({
      output: { reason: 'no' },
      warnings: [{ code: 'mixed_output', message: `${around} ${remedy}` }],
    });
  });

  test('a rewrite is reported a second time, because a hook that fails closed then denies', () => {
    expect(codesOf(decoded({ stdout: `log\n${says({ more: { tool_input: {} } })}` }).warnings)).toEqual([
      'mixed_output',
      'rewrite_ignored',
    ]);
  });

  test('on stderr, only if something is ignored', () => {
    const format = { readsStderr: true };
    expect(decoded({ stderr: says({ ...deny, why: 'no' }) }, { format }).warnings).toEqual([]);
    const message = expect.stringContaining(
      'to stderr, which is a log. Only a deny, an ask and a stop in it have an effect. Ignored: say.verdict "allow".',
    );
    expect(decoded({ stderr: says(allow) }, { format })).toEqual({ warnings: [{ code: 'mixed_output', message }] });
  });
});

describe('an output without an objection', () => {
  const stdout = `log\n${says({ ...allow, hint: 'c' })}`;

  test('is text, so that an echo takes nothing away from it', () => {
    expect(decoded({ stdout }).output).toEqual({ systemMessage: `BeforeTool: ${stdout}` });
  });

  test('is nothing, where JSON that is not an object is nothing', () => {
    const text = JSON.stringify(says(allow));
    expect(decoded({ stdout: text })).not.toHaveProperty('output');
    expect(decoded({ stdout: text }, { format: { takesOtherJsonAsText: true } }).output).toEqual({ systemMessage: `BeforeTool: ${text}` });
  });
});

test('no object takes an objection of another away', () => {
  const output = fc.record(
    { decision: fc.constantFrom('deny', 'block', 'ask', 'allow', 'approve'), continue: fc.boolean() },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.array(output, { minLength: 1 }), (outputs) => {
      const { decision, continue: goesOn } = mergeObjections(outputs as HookOutput[]);
      const said = outputs.map((entry) => entry.decision);
      const strictest = ['deny', 'block', 'ask'].filter((each) => said.includes(each as 'deny'));
      expect(decision === undefined).toBe(strictest.length === 0);
      if (strictest[0] !== undefined && strictest[0] !== 'ask') expect(['deny', 'block']).toContain(decision);
      expect(goesOn === false).toBe(outputs.some((entry) => entry.continue === false));
    }),
  );
});
