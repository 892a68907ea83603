import { readStdout } from '../../../src/shared/output/read-stdout.js';
import { codesOf } from '../../printed.js';
import { allow, deny, invented, says } from './invented-format.js';

const read = (stdout: string, format: Partial<typeof invented> = {}) => readStdout(stdout, { ...invented, ...format });
const alone = (object: object) => ({ kind: 'answer', object, warnings: [] });
/** The expected result for objects that are not the whole output. `what` is the sentence that describes the output. */
const mixed = (what: string, text: string, ...objects: object[]) => ({
  kind: 'mixed',
  objects,
  text,
  why: { code: 'mixed_output', what, remedy: 'Print one JSON object and nothing else, and logs to stderr.' },
  warnings: [],
});

const rows: Record<string, [string, object]> = {
  nothing: ['', { kind: 'empty', warnings: [] }],
  'a mark of the byte order and white space are nothing': ['\uFEFF \r\n\t', { kind: 'empty', warnings: [] }],
  'an object': [says(deny), alone(deny)],
  'an object behind a mark of the byte order': [`\uFEFF\n${says(deny)}\n`, alone(deny)],
  'an object over several lines': [JSON.stringify(deny, null, 2), alone(deny)],
  'an object that is not an answer, where it stands alone': ['{"a":1}', alone({ a: 1 })],
  'a text': [' it is fine \n', { kind: 'text', text: 'it is fine', warnings: [] }],
  'JSON that is not an object': [
    'null',
    { kind: 'not-an-object', text: 'null', warnings: [expect.objectContaining({ code: 'not_an_object' })] },
  ],
  'a JSON text that holds an object is unwrapped once': [
    JSON.stringify(says(deny)),
    {
      kind: 'mixed',
      objects: [deny],
      why: { code: 'double_encoded', what: 'stdout is a JSON string that contains a JSON object.', remedy: 'Print the object itself.' },
      warnings: [],
    },
  ],
  'one that holds a JSON text is not': [
    JSON.stringify(JSON.stringify(says(deny))),
    { kind: 'not-an-object', text: expect.anything(), warnings: [expect.objectContaining({ code: 'not_an_object' })] },
  ],
  'objects between lines, in order': [
    `a b\t\n${says(deny)}\n${says(allow)}`,
    mixed('stdout mixes JSON with other text ("a b").', `a b\t\n${says(deny)}\n${says(allow)}`, deny, allow),
  ],
  'text after an object': [`${says(deny)} b`, mixed('stdout mixes JSON with other text ("b").', `${says(deny)} b`, deny)],
  'objects alone': [
    `${says(deny)}\n\n${says(allow)}\n`,
    mixed('stdout has 2 JSON objects.', `${says(deny)}\n\n${says(allow)}`, deny, allow),
  ],
  'an object in colours': [
    `\u001B[32m${says(deny)}\u001B[0m`,
    mixed('stdout mixes JSON with other text ("\\u001b[32m").', `\u001B[32m${says(deny)}\u001B[0m`, deny),
  ],
  'an object before a NUL': [`${says(deny)}\0`, mixed('stdout mixes JSON with other text ("\\u0000").', `${says(deny)}\0`, deny)],
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
  expect(found.kind).toBe('mixed');
  expect(codesOf(found.warnings)).toEqual(['decision_in_text']);
});

test('of a long line before an object the beginning is shown', () => {
  const found = read(`${'x'.repeat(1000)}\n${says(deny)}`);
  expect(found).toMatchObject({ why: { what: `stdout mixes JSON with other text ("${'x'.repeat(58)}…).` } });
});

test('of a long value the beginning is shown', () => {
  const found = read(JSON.stringify(['x'.repeat(1000)]));
  expect('warnings' in found && found.warnings[0]?.message).toContain(`(["${'x'.repeat(37)}…)`);
});

describe('a format that knows its answers among other objects', () => {
  const isAnswer = (object: object) => 'say' in object;

  test('takes the others as text', () => {
    expect(read('a\n{"a":1}', { isAnswer })).toEqual({ kind: 'text', text: 'a\n{"a":1}', warnings: [] });
    expect(read(`{"a":1}\n${says(deny)}\n{"b":1}`, { isAnswer })).toMatchObject({ kind: 'mixed', objects: [deny] });
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

describe('more than 1 MiB', () => {
  const long = 'x'.repeat(1_048_576);

  test('that is one object is read', () => {
    const value = { ...deny, text: `${long}"\\,[{`, list: Array.from({ length: 100_000 }, () => 1) };
    expect(read(says(value))).toEqual(alone(value));
  });

  test.each([
    ['text with an object in it', `${says(deny)}\n${long}`],
    ['text', long.repeat(2)],
    ['half an object', says({ text: long }).slice(0, -1)],
    ['an object with more values than an answer has', says({ list: Array.from({ length: 1_000_000 }, () => 1) })],
    ['lines of open braces', '{\n'.repeat(8_000_000)],
    ['open lists', '['.repeat(16_000_000)],
  ])('%s is not read as a whole', (_, stdout) => {
    expect(read(stdout).kind).toBe('too-long');
  });

  test.each([
    ['first', `${says(deny)}\n${'log\n'.repeat(1_000_000)}`, 'mixed'],
    ['last', `${'log\n'.repeat(1_000_000)}${says(deny)}`, 'mixed'],
    ['middle', `${'log\n'.repeat(500_000)}${says(deny)}\n${'log\n'.repeat(500_000)}`, 'text'],
    ['only, where the text has one line,', `${long}${says(deny)}`, 'text'],
  ])('an objection in the %s line', (_, stdout, kind) => {
    expect(read(stdout)).toMatchObject({ kind: 'too-long', ends: { kind } });
  });

  test('in which strings end in backslashes and quotes', () => {
    const value = { texts: ['\\', '"', '\\"', '\\\\', `${long},[{`, '\\'] };
    expect(read(says(value))).toEqual(alone(value));
  });
});
