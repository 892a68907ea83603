import { answerWords } from '../../../src/parts.js';

const words = answerWords({
  decisions: [['outer', 'inner', 'verdict'], ['approval']],
  values: ['deny', 'ask', 'allow'],
  ownFields: ['ownField'],
});

test('the example holds the first decision, nested as it is', () => {
  expect(words.example).toBe('{"outer":{"inner":{"verdict":"deny"}}}');
  expect(answerWords({ decisions: [['approval']], values: ['deny'], ownFields: [] }).example).toBe('{"approval":"deny"}');
});

const inText: Record<string, { text: string; objecting?: true; quotedField?: true; bareField?: true }> = {
  'a field as JSON has it': { text: '{"verdict": "deny"}', objecting: true, quotedField: true },
  'a field as Python has it': { text: "{'approval' : 'deny'}", quotedField: true },
  'a field in a JSON text within another': { text: String.raw`{\"verdict\":\"deny\"}`, quotedField: true },
  'a field in other letters': { text: '{"Verdict": "deny"}', quotedField: true },
  'a field as JavaScript has it': { text: "{ approval: 'deny' }", bareField: true },
  'a word before a colon, without one of the values after it': { text: 'the verdict: it depends' },
  'a word that only begins like a value': { text: '{verdict: denying}' },
  'another field that only an answer has': { text: '{"ownField": 1}', quotedField: true },
  'a stop as JSON has it': { text: '{"continue": false}', objecting: true, quotedField: true },
  'a stop as Python has it': { text: "{'continue': False}", quotedField: true },
  'a stop as JavaScript has it': { text: '{continue: false}', bareField: true },
  'continue: true, which only the name tells from a stop': { text: '{"continue": true}', objecting: true },
  'a name that is written with escapes': { text: String.raw`{"\u0076erdict":"deny"}`, objecting: true },
  'a field of another agent': { text: '{"permission": "deny"}' },
};

test.each(Object.entries(inText))('%s', (_, { text, objecting = false, quotedField = false, bareField = false }) => {
  const found = { objecting: words.objecting.test(text), quotedField: words.quotedField.test(text), bareField: words.bareField.test(text) };
  expect(found).toEqual({ objecting, quotedField, bareField });
});

test.each([
  [{ outer: { inner: { verdict: 'deny' } } }, ['outer.inner.verdict deny']],
  [{ outer: { inner: { verdict: 'block' } }, approval: 'ask' }, ['outer.inner.verdict deny', 'approval ask']],
  [{ approval: 'allow' }, []],
  [{ approval: null, outer: 'deny' }, []],
  [{ verdict: 'deny' }, []],
  [{ continue: false }, ['stop']],
  [{ continue: false, approval: 'deny' }, ['approval deny', 'stop']],
  [{ continue: 'false' }, []],
])('%j objects with %j', (object, objections) => {
  expect(words.objectionsOf(object)).toEqual(objections);
});
