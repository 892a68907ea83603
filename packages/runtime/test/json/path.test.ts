import { valueAt } from '../../src/json/index.js';

test('the value at a path, undefined where a key is missing or is inherited', () => {
  const value = { a: { b: { c: 1 } }, list: [1] };
  expect(valueAt(value, [])).toBe(value);
  expect(valueAt(value, ['a', 'b', 'c'])).toBe(1);
  for (const path of [['a', 'x'], ['a', 'b', 'c', 'd'], ['toString'], ['a', '__proto__'], ['list', '0']])
    expect(valueAt(value, path)).toBeUndefined();
  expect(valueAt(undefined, ['a'])).toBeUndefined();
});
