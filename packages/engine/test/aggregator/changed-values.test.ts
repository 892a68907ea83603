import { changedValues } from '../../src/aggregator/changed-values.js';

const cases: Record<string, [unknown, unknown, object[]]> = {
  'the same value has not changed, whatever the order of its keys': [{ a: 1, b: [{ c: 1 }] }, { b: [{ c: 1 }], a: 1 }, []],
  'a field that is new has no before': [{}, { a: 1 }, [{ path: 'x.a', after: 1 }]],
  'a field that went has no after': [{ a: 1 }, {}, [{ path: 'x.a', before: 1 }]],
  'a field that was null had a value': [{ a: null }, { a: 1 }, [{ path: 'x.a', before: null, after: 1 }]],
  'config is reported a key at a time': [
    { config: { a: 1 } },
    { config: { a: 2, b: 1 } },
    [
      { path: 'x.config.a', before: 1, after: 2 },
      { path: 'x.config.b', after: 1 },
    ],
  ],
  'other objects are reported as a whole': [{ a: { b: 1 } }, { a: { b: 2 } }, [{ path: 'x.a', before: { b: 1 }, after: { b: 2 } }]],
  'a text is reported as a whole': ['a', 'b', [{ path: 'x', before: 'a', after: 'b' }]],
  'an object in place of no value is reported by its fields': [undefined, { a: 1 }, [{ path: 'x.a', after: 1 }]],
  'a list in place of an object is reported as a whole': [{ a: 1 }, [1], [{ path: 'x', before: { a: 1 }, after: [1] }]],
  'an object of very many keys is reported as a whole': [{ a: 1 }, wide(1), [{ path: 'x', before: { a: 1 }, after: wide(1) }]],
  'so is one that was': [wide(1), { a: 1 }, [{ path: 'x', before: wide(1), after: { a: 1 } }]],
  'and where it is the same it has not changed': [wide(1), wide(1), []],
  'a wide config is reported as a whole': [{ config: {} }, { config: wide(1) }, [{ path: 'x.config', before: {}, after: wide(1) }]],
};

function wide(value: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`k${index}`, value]));
}

test.each(Object.entries(cases))('%s', (_, [before, after, expected]) => {
  expect(changedValues('x', before, after)).toEqual(expected);
});
