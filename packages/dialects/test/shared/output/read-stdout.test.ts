import { readStdout } from '../../../src/shared/output/read-stdout.js';
import { codesOf } from '../../printed.js';
import { allow, deny, invented, says } from './invented-format.js';

const read = (stdout: string, format: Partial<typeof invented> = {}) => readStdout(stdout, { ...invented, ...format });
const alone = (value: object) => ({ kind: 'objects', objects: [value], mixed: false, warnings: [] });

const rows: Record<string, [string, object]> = {
  nothing: ['', { kind: 'empty', warnings: [] }],
  'a mark of the byte order and white space are nothing': ['\uFEFF \r\n\t', { kind: 'empty', warnings: [] }],
  'an object': [says(deny), alone(deny)],
  'an object behind a mark of the byte order': [`\uFEFF\n${says(deny)}\n`, alone(deny)],
  'an object over several lines': [JSON.stringify(deny, null, 2), alone(deny)],
  'an object that is no answer, where it stands alone': ['{"a":1}', alone({ a: 1 })],
  'a text': [' it is fine \n', { kind: 'text', text: 'it is fine', warnings: [] }],
  'JSON that is no object': [
    'null',
    { kind: 'not-an-object', text: 'null', warnings: [expect.objectContaining({ code: 'not_an_object' })] },
  ],
  'a JSON text that holds an object is unwrapped once': [
    JSON.stringify(says(deny)),
    { ...alone(deny), warnings: [{ code: 'double_encoded', message: expect.stringContaining('Print the object itself.') }] },
  ],
  'one that holds a JSON text is not': [
    JSON.stringify(JSON.stringify(says(deny))),
    { kind: 'not-an-object', text: expect.anything(), warnings: [expect.objectContaining({ code: 'not_an_object' })] },
  ],
  'objects between lines, in order': [
    `a\n${says(deny)}\n${says(allow)}`,
    { kind: 'objects', objects: [deny, allow], mixed: true, warnings: [expect.objectContaining({ code: 'mixed_output' })] },
  ],
  'an object in colours': [
    `\u001B[32m${says(deny)}\u001B[0m`,
    { kind: 'objects', objects: [deny], mixed: true, warnings: [expect.objectContaining({ code: 'mixed_output' })] },
  ],
};

test.each(Object.entries(rows))('%s', (_, [stdout, expected]) => {
  expect(read(stdout)).toEqual(expected);
});

test.each([
  ['an object that breaks off', 'a\n{"say":', ['invalid_json']],
  ['a decision in the middle of a line', `answer: ${says(deny)}`, ['decision_in_text']],
  ['a decision as JavaScript has it', "a\n{ verdict: 'deny' }", ['decision_in_text']],
  ['both', `{"say":\nanswer: ${says(deny)}`, ['invalid_json']],
])('%s stays text, and is not silent', (_, stdout, codes) => {
  const found = read(stdout);
  expect(found).toMatchObject({ kind: 'text', text: stdout });
  expect(codesOf('warnings' in found ? found.warnings : [])).toEqual(codes);
});

test('what is lost beside an object is said as well', () => {
  const found = read(`${says(allow)}\nanswer: ${says(deny)}`);
  expect(codesOf('warnings' in found ? found.warnings : [])).toEqual(['mixed_output', 'decision_in_text']);
});

test('a long value is told by its beginning', () => {
  const found = read(JSON.stringify(['x'.repeat(1000)]));
  expect('warnings' in found && found.warnings[0]?.message).toContain(`(["${'x'.repeat(37)}…)`);
});

describe('a format that knows its answers among other objects', () => {
  const isAnswer = (object: object) => 'say' in object;

  test('takes the others as text', () => {
    expect(read('a\n{"a":1}', { isAnswer })).toEqual({ kind: 'text', text: 'a\n{"a":1}', warnings: [] });
    expect(read(`{"a":1}\n${says(deny)}\n{"b":1}`, { isAnswer })).toMatchObject({ objects: [deny], mixed: true });
  });

  test.each([
    '{"decision":"deny"}',
    '{"Decision": "block"}',
    '{"hookSpecificOutput":{"permissionDecision":"ask"}}',
    '{"permission":"deny"}',
  ])('says of %s that it decides in the words of another', (object) => {
    for (const stdout of [`a\n${object}`, `${says(deny)}\n${object}`]) {
      const found = read(stdout, { isAnswer });
      expect('warnings' in found && codesOf(found.warnings)).toContain('decision_in_text');
    }
  });

  test('reads no further into an object than a decision may stand, however deep it is', () => {
    const deep = `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    const nested = `${'{"a":'.repeat(20_000)}{"decision":"deny"}${'}'.repeat(20_000)}`;
    for (const object of [deep, nested]) expect(read(`a\n${object}`, { isAnswer })).toMatchObject({ kind: 'text', warnings: [] });
  });

  test.each(['{"decision":"allow"}', '{"text":"decision: deny"}'])('says nothing of %s', (object) => {
    expect(read(`a\n${object}`, { isAnswer })).toMatchObject({ kind: 'text', warnings: [] });
  });
});
