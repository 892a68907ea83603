import { isSameJson } from '../../src/json/same-json.js';

test('a list is not an object with the same keys, and a missing key is not undefined', () => {
  expect(isSameJson(['a'], { 0: 'a' })).toBe(false);
  expect(isSameJson({ a: undefined }, { b: undefined })).toBe(false);
  expect(isSameJson([1, 2], [1])).toBe(false);
});

test('the order of keys does not matter, that of items does', () => {
  expect(isSameJson({ a: 1, b: [{ c: 1 }] }, { b: [{ c: 1 }], a: 1 })).toBe(true);
  expect(isSameJson([1, 2], [2, 1])).toBe(false);
});
