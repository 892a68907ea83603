import { freezeDeeply } from '../../src/json/freeze.js';

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
