import fc from 'fast-check';
import { readingsOf } from '../../../../src/shared/output/fields/overwritten-fields.js';
import { codesOf } from '../../../printed.js';
import { allow, ask, decoded, deny, invented, says } from '../invented-format.js';

const { words } = invented;
const read = (text: string) => readingsOf(text, JSON.parse(text), words);

test.each<[string, string, { path: string[]; readings: object[] }]>([
  [
    'a field that decides',
    '{"verdict":"deny","verdict":"allow"}',
    { path: ['verdict'], readings: [{ verdict: 'deny' }, { verdict: 'allow' }] },
  ],
  ['an object around it', '{"say":{"verdict":"deny"},"say":{}}', { path: ['say'], readings: [{ say: { verdict: 'deny' } }, { say: {} }] }],
  [
    'a field in that object',
    '{"say":{"verdict":"deny","x":{"verdict":1},"verdict":"allow"},"why":"no"}',
    { path: ['say', 'verdict'], readings: [{ say: { verdict: 'deny', x: { verdict: 1 } }, why: 'no' }, expect.anything()] },
  ],
  ['a stop', '{"continue":false,"continue":true}', { path: ['continue'], readings: [{ continue: false }, { continue: true }] }],
  [
    'a name with an escape',
    '{"verdict":"deny","\\u0076erdict":"allow"}',
    { path: ['verdict'], readings: [{ verdict: 'deny' }, { verdict: 'allow' }] },
  ],
  [
    'names with white space around them',
    '{ "verdict" :\n"deny" ,\t"verdict"\r: "allow" }',
    { path: ['verdict'], readings: [{ verdict: 'deny' }, { verdict: 'allow' }] },
  ],
])('%s is found', (_, text, expected) => {
  expect(read(text)).toEqual(expected);
});

test.each([
  '{}',
  '{"verdict":"deny"}',
  '{"say":{"verdict":"deny"},"verdict":"allow"}',
  '{"why":"a","why":"b","x":[{"verdict":1,"verdict":2}],"y":{"verdict":1,"verdict":2}}',
  '{"why":"\\",\\"verdict\\":\\"allow\\"","verdict":"deny"}',
  '{"why":"verdict","x":"verdict","verdict":"verdict"}',
])('%s has none', (text) => {
  expect(read(text)).toBeUndefined();
});

test('of many values one of each kind is kept, and the first', () => {
  const many = '"verdict":"allow",'.repeat(10_000);
  const text = `{${many}"verdict":"ask",${many}"verdict":"deny",${many}"verdict":"allow"}`;
  expect(read(text)?.readings).toEqual(['allow', 'ask', 'deny', 'allow'].map((verdict) => ({ verdict })));
});

test('any object whose names differ has none', () => {
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      fc.string(),
      fc.integer(),
      fc.array(tie('any')),
      fc.dictionary(fc.constantFrom('say', 'verdict', 'x'), tie('any')),
    ),
  })).any;
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom('say', 'verdict', 'continue', '"', 'x'), value), fc.nat(3), (object, indent) => {
      expect(read(JSON.stringify(object, null, indent))).toBeUndefined();
    }),
  );
});

test('an objection that is overwritten counts, an allow over it does not, and that is said', () => {
  const { say } = deny;
  expect(decoded({ stdout: `{"say":${says(say)},"why":"x","say":{"verdict":"allow"}}` })).toEqual({
    output: { decision: 'deny', reason: 'x' },
    warnings: [
      {
        code: 'repeated_field',
        message:
          'The answer has say more than once. Only a deny, an ask and a stop in it have an effect. Ignored: say.verdict "allow". Create the object with a JSON library or with jq --arg, so that texts are escaped.',
      },
    ],
  });
  expect(decoded({ stdout: `{"say":${says(ask.say)},"say":${says(deny.say)}}` }).output).toEqual({ decision: 'deny' });
  const twice = decoded({ stdout: `{"say":${says(allow.say)},"say":${says(allow.say)}}` });
  expect([twice.output, codesOf(twice.warnings)]).toEqual([undefined, ['repeated_field']]);
});
