import { RecentMap } from '../../src/requests/recent-map.js';

test('the last entries are kept, and the older ones are removed', () => {
  const map = new RecentMap<number, string>(10);
  for (let key = 0; key < 1000; key += 1) {
    map.set(key, `value ${key}`);
    for (let last = Math.max(0, key - 9); last <= key; last += 1) expect(map.get(last)).toBe(`value ${last}`);
    expect(map.size).toBeLessThanOrEqual(20);
  }
  expect([map.get(0), map.get(979)]).toEqual([undefined, undefined]);
});

test('an entry that is set again has the new value, and a deleted one is gone, whatever its age', () => {
  const map = new RecentMap<string, number>(2);
  for (const [key, value] of [
    ['a', 1],
    ['b', 2],
    ['c', 3],
    ['a', 4],
  ] as const)
    map.set(key, value);
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([4, 2, 3]);
  for (const key of ['a', 'b', 'c']) map.delete(key);
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([undefined, undefined, undefined]);
});
