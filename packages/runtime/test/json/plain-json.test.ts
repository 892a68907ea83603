import { valueAt } from '../../src/json/index.js';
import { freezeDeeply, isSameJson, omitUndefined } from '../../src/json/plain-json.js';

test('a list is not an object with the same keys, and a missing key is not undefined', () => {
  expect(isSameJson(['a'], { 0: 'a' })).toBe(false);
  expect(isSameJson({ a: undefined }, { b: undefined })).toBe(false);
  expect(isSameJson([1, 2], [1])).toBe(false);
});

test('the order of keys does not matter, that of items does', () => {
  expect(isSameJson({ a: 1, b: [{ c: 1 }] }, { b: [{ c: 1 }], a: 1 })).toBe(true);
  expect(isSameJson([1, 2], [2, 1])).toBe(false);
});

describe('freezeDeeply', () => {
  test('skips what is frozen, ends cycles, and leaves views of memory', () => {
    const inner = { a: {} };
    const skipped = Object.freeze({ inner });
    const cycle: Record<string, unknown> = { skipped, bytes: new Uint8Array(2), none: null, run: () => {} };
    cycle['self'] = cycle;
    expect(freezeDeeply(cycle)).toBe(cycle);
    expect([cycle, inner, cycle['bytes']].map((value) => Object.isFrozen(value))).toEqual([true, false, false]);
  });

  test('leaves what is inherited', () => {
    const inherited = { shared: {} };
    freezeDeeply(Object.create(inherited));
    expect(Object.isFrozen(inherited.shared)).toBe(false);
  });

  test('throws what a getter throws', () => {
    const hostile = {
      get a(): never {
        throw new Error('mine');
      },
    };
    expect(() => freezeDeeply(hostile)).toThrow('mine');
  });
});

test('the value at a path, undefined where a key is missing or is inherited', () => {
  const value = { a: { b: { c: 1 } }, list: [1] };
  expect(valueAt(value, [])).toBe(value);
  expect(valueAt(value, ['a', 'b', 'c'])).toBe(1);
  for (const path of [['a', 'x'], ['a', 'b', 'c', 'd'], ['toString'], ['a', '__proto__'], ['list', '0']])
    expect(valueAt(value, path)).toBeUndefined();
  expect(valueAt(undefined, ['a'])).toBeUndefined();
});

test('omitUndefined leaves out undefined values, symbols and what is inherited, and reads each field once', () => {
  let reads = 0;
  const fields = Object.assign(Object.create({ inherited: 1 }), { none: null, missing: undefined, [Symbol('a')]: 1 });
  Object.defineProperty(fields, 'counted', { enumerable: true, get: () => ++reads });
  Object.defineProperty(fields, '__proto__', { enumerable: true, value: { deny: true } });
  const given = omitUndefined(fields);
  expect(reads).toBe(1);
  expect(Object.entries(given)).toEqual([
    ['none', null],
    ['counted', 1],
    ['__proto__', { deny: true }],
  ]);
  expect(Reflect.ownKeys(given)).toHaveLength(3);
  expect(Object.getPrototypeOf(given)).toBe(Object.prototype);
});
