import fc from 'fast-check';
import { findJsonObjects } from '../../src/llxprt/json-objects.js';

const deny = { decision: 'deny', reason: 'no' };
const oneLine = JSON.stringify(deny);
const manyLines = JSON.stringify(deny, null, 2);

const texts: Record<string, [string, object[]]> = {
  'an object behind a log line': [`checking\n${oneLine}`, [deny]],
  'an object before a log line': [`${oneLine}\ndone`, [deny]],
  'an object over several lines': [`checking\n${manyLines}\ndone`, [deny]],
  'text behind the object on its line': [`checking\n${oneLine} done`, [deny]],
  'an object that is indented': [`checking\n \t${oneLine}`, [deny]],
  'an object that does not start a line is text': [`answer: ${oneLine}`, []],
  'two objects, in order': ['{"a":1}\nx\n{"a":2}', [{ a: 1 }, { a: 2 }]],
  'of two objects on one line the first': ['x\n{"a":1}{"a":2}', [{ a: 1 }]],
  'of nested objects the outer one': ['x\n{\n"a":\n{"b":1}\n}', [{ a: { b: 1 } }]],
  'braces inside a text do not count': ['x\n{"a":"}{"}', [{ a: '}{' }]],
  'an escaped quote does not end a text': ['x\n{"a":"\\"}"}', [{ a: '"}' }]],
  'an object that is never closed hides none behind it': [`{"a":\n${oneLine}`, [deny]],
  'balanced braces that are no JSON are text': ['x\n{a}\n{"a":1}', [{ a: 1 }]],
  'a list is no object': ['x\n[{"a":1}]', []],
  'Windows line ends': [`checking\r\n${oneLine}\r\ndone`, [deny]],
  nothing: ['', []],
};

test.each(Object.entries(texts))('%s', (_, [text, expected]) => {
  expect(findJsonObjects(text)).toEqual(expected);
});

/** Texts that would take quadratic time, or a deep stack, if every opening brace were followed to the end. */
const lines = 200_000;
const adversarial: Record<string, string> = {
  'lines of {': '{\n'.repeat(lines),
  'lines of {"a":': '{"a":\n'.repeat(lines),
  'lines of {"': '{"\n'.repeat(lines),
  'lines of [{': '[{\n'.repeat(lines),
  'lines of {}': '{}\n'.repeat(lines),
  'one line of {': '{'.repeat(lines),
  'lines of {" and a backslash': '{"\\\n'.repeat(lines),
  'lines of } and {': '}\n{\n'.repeat(lines),
};

test.each(Object.entries(adversarial))('%s are read to their end', (_, text) => {
  expect(findJsonObjects(text).every((object) => Object.keys(object).length === 0)).toBe(true);
});

test.each(Object.entries(adversarial))('a deny behind %s is found, on one line or on many', (_, text) => {
  expect(findJsonObjects(`${text}\n${oneLine}`).at(-1)).toEqual(deny);
  expect(findJsonObjects(`${text}\n${manyLines}\n`).at(-1)).toEqual(deny);
});

test.each(Object.entries(adversarial))('a deny before %s is found, on one line or on many', (_, text) => {
  expect(findJsonObjects(`${oneLine}\n${text}`)[0]).toEqual(deny);
  expect(findJsonObjects(`x\n${manyLines}\n${text}`)[0]).toEqual(deny);
});

test('of very many objects the last 2,000 are looked at, and before them those that may object', () => {
  expect(findJsonObjects(`x\n${'{}\n'.repeat(20_000)}${oneLine}`)).toHaveLength(2000);
  expect(findJsonObjects(`x\n${oneLine}\n${'{}\n'.repeat(20_000)}`)).toHaveLength(2001);
});

test('balanced braces that are no JSON, nested around a deny, do not hide it', () => {
  const nested = `${'{"a":1,\n'.repeat(250)}${manyLines}${'\n}'.repeat(250)}`;
  expect(findJsonObjects(`x\n${nested}`)).toEqual([deny]);
});

const piece = fc.oneof(
  fc.constantFrom('{', '}', '[', ']', '"', '\\', ':', ',', '\n', '\r\n', ' ', '{"a":1}', '{"decision":"deny"}', 'null', '"{'),
  fc.string({ unit: 'binary', maxLength: 5 }),
);

test('it never throws, and gives nothing but objects', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join('');
      for (const object of findJsonObjects(text)) expect(Object.prototype.toString.call(object)).toBe('[object Object]');
    }),
    { numRuns: 2000 },
  );
});

test('an object on a line of its own is found between any lines that hold no braces', () => {
  const noise = fc.array(fc.string({ unit: 'grapheme' }).map((line) => line.replace(/[{}[\]"]/g, '')));
  fc.assert(
    fc.property(noise, noise, fc.boolean(), (before, after, pretty) => {
      const text = [...before, pretty ? manyLines : oneLine, ...after].join('\n');
      expect(findJsonObjects(text)).toEqual([deny]);
    }),
  );
});
