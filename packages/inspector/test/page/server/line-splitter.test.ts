import fc from 'fast-check';
import { LineSplitter } from '../../../page/server/line-splitter.js';

test('lines are the same wherever the bytes are divided', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.array(fc.nat(40)), (values, sizes) => {
      const bytes = new TextEncoder().encode(values.map((value) => `${JSON.stringify(value)}\n`).join(''));
      const splitter = new LineSplitter();
      const found: unknown[] = [];
      let at = 0;
      for (const size of [...sizes, bytes.length]) {
        found.push(...splitter.push(bytes.subarray(at, at + size)));
        at += size;
      }
      expect(JSON.stringify(found)).toBe(JSON.stringify(values));
    }),
  );
});

test('a line without an end is not a value yet', () => {
  const splitter = new LineSplitter();
  expect(splitter.push(new TextEncoder().encode('{"a":'))).toEqual([]);
  expect(splitter.push(new TextEncoder().encode('1}\n{'))).toEqual([{ a: 1 }]);
});
