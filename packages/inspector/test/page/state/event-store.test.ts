import fc from 'fast-check';
import { compileFilter } from '../../../page/filter/compile-filter.js';
import { parseFilter } from '../../../page/filter/parse-filter.js';
import { EventStore } from '../../../page/state/event-store.js';
import { rowOf } from '../rows.js';

test('rows are shown once and in order, whatever was repeated or changed', () => {
  const row = fc.record({ n: fc.nat(30), verdict: fc.constantFrom('deny' as const, 'allow' as const) }).map(rowOf);
  fc.assert(
    fc.property(fc.array(fc.array(row, { maxLength: 5 })), fc.constantFrom('', 'verdict:deny'), (batches, filter) => {
      const store = new EventStore();
      store.setFilter(filter);
      const last = new Map<number, ReturnType<typeof rowOf>>();
      for (const batch of batches) {
        store.put(batch);
        for (const one of batch) last.set(one.n, one);
      }
      const all = [...last.values()].sort((a, b) => a.n - b.n);
      expect(store.rows).toEqual(all);
      expect(store.shown).toEqual(all.filter(compileFilter(parseFilter(filter))));
    }),
  );
});

test('of more than 100,000 rows the oldest go, and are counted', () => {
  const store = new EventStore();
  store.setFilter('verdict:deny');
  for (let n = 0; n < 102_000; n += 100) {
    store.put(Array.from({ length: 100 }, (_, index) => rowOf({ n: n + index, verdict: index === 0 ? 'deny' : 'none' })));
  }
  expect(store.rows.length).toBeLessThanOrEqual(101_000);
  expect(store.removed + store.rows.length).toBe(102_000);
  expect(store.shown[0]?.n).toBeGreaterThanOrEqual(store.removed);
  store.put([rowOf({ n: 3 })]);
  expect(store.find(3)).toBeUndefined();
  expect(store.find(101_999)?.n).toBe(101_999);
});
