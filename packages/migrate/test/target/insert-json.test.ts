import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { insertJson } from '../../src/target/insert-json.js';

const hook = { hooks: [{ command: 'x' }] };

function inserted(text: string, added: Record<string, unknown>): string {
  const result = insertJson(text, added);
  if ('problem' in result) throw new Error(`${result.path.join('.')}: ${result.problem}`);
  return result.text;
}

test('into nothing, and into an empty file, a whole document is written', () => {
  const whole = '{\n  "hooks": {\n    "A": [\n      1\n    ]\n  }\n}\n';
  expect(inserted('', { hooks: { A: [1] } })).toBe(whole);
  expect(inserted(' \n\n', { hooks: { A: [1] } })).toBe(whole);
  expect(inserted('// mine\n/* all\n of it */\n', { hooks: { A: [1] } })).toBe(`// mine\n/* all\n of it */\n${whole}`);
  expect(inserted('\uFEFF', { hooks: { A: [1] } })).toBe(`\uFEFF${whole}`);
});

test('a list gets its item at the end, behind the comments of the items before it', () => {
  const text = `{
  // settings of mine
  "hooks": {
    "A": [
      { "command": "one" }, // the first
      { "command": "two" } // the second
      // { "command": "off" }
    ]
  },
  "other": [1, 2,]
}
`;
  expect(inserted(text, { hooks: { A: [{ command: 'three' }] } })).toBe(`{
  // settings of mine
  "hooks": {
    "A": [
      { "command": "one" }, // the first
      { "command": "two" }, // the second
      // { "command": "off" }
      {
        "command": "three"
      }
    ]
  },
  "other": [1, 2,]
}
`);
});

test('what is missing on the way is made, beside what is there', () => {
  expect(inserted('{\n\t"a": 1\n}', { hooks: { A: [1] } })).toBe('{\n\t"a": 1,\n\t"hooks": {\n\t\t"A": [\n\t\t\t1\n\t\t]\n\t}\n}');
  expect(inserted('{ "hooks": {} }', { hooks: { A: [1] } })).toBe('{ "hooks": {\n  "A": [\n    1\n  ]\n} }');
  expect(inserted('{\r\n    "a": 1,\r\n}\r\n', { b: true })).toBe('{\r\n    "a": 1,\r\n    "b": true,\r\n}\r\n');
  expect(inserted('{}', { b: true })).toBe('{\n  "b": true\n}');
  expect(inserted('{"l":[{"x":1}]}', { l: [2] })).toBe('{"l":[{"x":1},\n  2\n]}');
});

test('where something else is in the place, nothing is done, and the place is reported', () => {
  expect(insertJson('[]', { hooks: {} })).toEqual({ problem: 'must be an object', path: [] });
  expect(insertJson('{ "hooks": [] }', { hooks: { A: [1] } })).toEqual({ problem: 'must be an object', path: ['hooks'] });
  expect(insertJson('{ "hooks": { "A": {} } }', { hooks: { A: [1] } })).toEqual({ problem: 'must be an array', path: ['hooks', 'A'] });
  expect(insertJson('{ "hooks": {}, "hooks": {} }', { hooks: { A: [1] } })).toMatchObject({ path: ['hooks'] });
  expect(insertJson('{ "a": false }', { a: true })).toEqual({ problem: 'must be an object', path: ['a'] });
  expect(insertJson('{ "a": { "b": 1 } }', { a: true })).toEqual({ problem: 'is an object', path: ['a'] });
});

const trivia = fc.constantFrom('', ' ', '\n', '\n  ', ' // note, [ {\n', ' // a\u2028, b\n', '/* a, b */', '\t');
const scalar = fc.constantFrom('1', '"x"', '"// no comment"', 'null', '"a,b"', '{}', '[]', '[1, 2]');
const items = (open: string, close: string, item: fc.Arbitrary<string>) =>
  fc.tuple(fc.array(fc.tuple(trivia, item, trivia), { maxLength: 3 }), trivia, fc.constantFrom('', ',')).map(([list, tail, comma]) => {
    const inner = list.map((parts) => parts.join('')).join(',');
    return `${open}${inner}${list.length > 0 ? comma : ''}${tail}${close}`;
  });
const keyed = (keys: readonly string[], value: fc.Arbitrary<string>) =>
  fc
    .tuple(fc.subarray([...keys]), fc.array(value, { minLength: keys.length, maxLength: keys.length }))
    .chain(([used, values]) => items('{', '}', fc.constant('')).map(() => ({ used, values })))
    .chain(({ used, values }) =>
      fc
        .tuple(fc.array(fc.tuple(trivia, trivia), { minLength: used.length, maxLength: used.length }), trivia, fc.constantFrom('', ','))
        .map(([spaces, tail, comma]) => {
          const inner = used.map((key, index) => `${spaces[index]?.[0]}"${key}":${spaces[index]?.[1]}${values[index]}`).join(',');
          return `{${inner}${used.length > 0 ? comma : ''}${tail}}`;
        }),
    );
const document = keyed(['hooks', 'other'], keyed(['A', 'B'], items('[', ']', scalar)));

test('whatever the file looks like: its characters stay in order, its value stays, and what was added is there', () => {
  fc.assert(
    fc.property(document, trivia, fc.subarray(['A', 'B', 'C'], { minLength: 1 }), (text, around, events) => {
      const whole = `${around}${text}${around}`;
      const added = { hooks: Object.fromEntries(events.map((event) => [event, [hook, 'second']])) };
      const result = inserted(whole, added);
      expect(isSubsequence(whole, result)).toBe(true);
      const errors: never[] = [];
      const before = (parse(whole) ?? {}) as Record<string, Record<string, unknown[]>>;
      const after = parse(result, errors, { allowTrailingComma: true }) as Record<string, Record<string, unknown[]>>;
      expect(errors).toEqual([]);
      const expected = structuredClone(before);
      expected['hooks'] ??= {};
      for (const event of events) expected['hooks'][event] = [...(expected['hooks'][event] ?? []), hook, 'second'];
      expect(after).toEqual(expected);
    }),
    { numRuns: 1000 },
  );
});

function isSubsequence(part: string, whole: string): boolean {
  let at = 0;
  for (const character of part) {
    at = whole.indexOf(character, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
