import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { hasExactNumbers, isUnambiguous, textAt } from '../../src/wire/json-text.js';

test.each([
  ['{}', true],
  ['[]', true],
  ['"a"', true],
  ['{"a":1,"b":{"a":1,"c":[{"a":1},{"a":2}]},"c":"\\",\\"a\\":"}', true],
  ['{"a":"\\\\","b":1}', true],
  ['{"a":1,"a":1}', false],
  ['{"a":1,"\\u0061":1}', false],
  ['[{"b":[]},{"x":{"a":[1,{"q":"}"}],"b":2,"a":3}}]', false],
  ['{"a":["a","a"],"b":"a"}', true],
  [`{${Array.from({ length: 40 }, (_, key) => `"k${key}":${key}`).join(',')}}`, true],
  [`{${Array.from({ length: 40 }, (_, key) => `"k${key}":${key}`).join(',')},"k30":1}`, false],
  [`${'['.repeat(500)}${']'.repeat(500)}`, true],
  [`${'['.repeat(501)}${']'.repeat(501)}`, false],
])('%s', (text, expected) => {
  expect(isUnambiguous(text)).toBe(expected);
});

test('every text that JSON.stringify writes is unambiguous, and none with a key twice', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string(), fc.jsonValue(), (value, key, other) => {
      const part = JSON.stringify(value);
      expect(isUnambiguous(part)).toBe(true);
      const quoted = JSON.stringify(key);
      expect(isUnambiguous(`[${part},{${quoted}:${part},"x":1,${quoted}:${JSON.stringify(other)}}]`)).toBe(false);
    }),
  );
});

test.each([
  ['[0,-0.0,0e999,1.50,-12e-3,123456789012345,0.000123456789012345,1e299]', true],
  ['{"12345678901234567891":"1e999 \\" 12345678901234567891"}', true],
  ['12345678901234567891', false],
  ['{"a":[1,{"b":0.1000000000000000055}]}', false],
  ['-1e999', false],
  [`1${'0'.repeat(400)}`, false],
  ['1e-400', false],
  [`0.${'0'.repeat(400)}1`, false],
])('exact numbers: %s', (text, expected) => {
  expect(hasExactNumbers(text)).toBe(expected);
});

test('a number that counts as exact is written by JSON.stringify with the same value', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), (value) => {
      const text = String(value);
      expect(!hasExactNumbers(text) || BigInt(JSON.parse(text) as number) === value).toBe(true);
    }),
  );
});

test.each([
  ['{"a":1}', ['a'], '1'],
  [' { "x" : [ { "a" : "}" } , "]" ] , "a" : { "b" : -1.50 } } ', ['a', 'b'], '-1.50'],
  ['{"a":{"b":[1,{"c":"\\"}"}],"d":2}}', ['a', 'b'], '[1,{"c":"\\"}"}]'],
  ['{"a":{"b":1},"c":2}', ['c'], '2'],
  ['{"\\u0061":true}', ['a'], 'true'],
  ['{"a":"b, c"}', ['a'], '"b, c"'],
  ['{"a":{}}', ['a'], '{}'],
  ['{"a":{}}', ['a', 'b'], undefined],
  ['{}', ['a'], undefined],
  ['[{"a":1}]', ['a'], undefined],
  ['{"a":[{"b":1}]}', ['a', 'b'], undefined],
])('the value in %s at %j', (text, path, expected) => {
  expect(textAt(text, path)).toBe(expected);
});

test('the text at any path is that of the value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (value, other) => {
      const text = JSON.stringify({ other, wrapped: { other, value }, last: 1 }, null, 1);
      expect(JSON.parse(textAt(text, ['wrapped', 'value']) ?? '')).toEqual(JSON.parse(JSON.stringify(value)));
      expect(textAt(text, ['last'])).toBe('1');
    }),
  );
});
