import fc from 'fast-check';
import { formatJsonLine } from '../../src/cli/context.js';

test('what a terminal obeys or a reader cannot see is written as escapes, and the document is the same', () => {
  expect(formatJsonLine({ a: 'x\u202ey\u009b2J\u007f\u2028\u200b\u{e0041}' })).toBe(
    '{"a":"x\\u202ey\\u009b2J\\u007f\\u2028\\u200b\\udb40\\udc41"}\n',
  );
  expect(formatJsonLine({ a: 'Grüße 東京 😀' })).toBe('{"a":"Grüße 東京 😀"}\n');
});

test('one line that reads back as what was written, keys included', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' })), (value) => {
      const line = formatJsonLine(value);
      expect(line.slice(0, -1)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
      expect(JSON.parse(line)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});
