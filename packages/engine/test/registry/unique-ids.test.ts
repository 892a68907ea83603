import fc from 'fast-check';
import { withUniqueIds } from '../../src/registry/registry.js';
import { hookOf } from '../engine-rig.js';

const ids = (...list: string[]) => withUniqueIds(list.map((id) => hookOf(id))).map((hook) => hook.id);

const cases: Record<string, [string[], string[]]> = {
  'ids that differ stay': [
    ['a', 'b'],
    ['a', 'b'],
  ],
  'a clash is counted from two on': [
    ['a', 'a', 'b', 'a'],
    ['a', 'a~2', 'b', 'a~3'],
  ],
  'an id that looks like a counted one keeps its own, wherever it stands': [
    ['a', 'a', 'a~2'],
    ['a', 'a~3', 'a~2'],
  ],
};

test.each(Object.entries(cases))('%s', (_, [given, expected]) => {
  expect(ids(...given)).toEqual(expected);
});

test('a hook whose id is its own is the same object', () => {
  const hook = hookOf('a');
  expect(withUniqueIds([hook])[0]).toBe(hook);
});

test('ids are unique, and the first of each stays as it is', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', 'a~2', 'a~3', 'a~2~2')), (given) => {
      const unique = ids(...given);
      expect(new Set(unique).size).toBe(given.length);
      for (const id of given) expect(unique[given.indexOf(id)]).toBe(id);
    }),
  );
});

test('a name that 20,000 hooks have is counted once through', () => {
  const given = [...Array.from({ length: 20_000 }, () => 'a'), 'a~7'];
  const unique = ids(...given);
  expect(new Set(unique).size).toBe(given.length);
  expect(unique.slice(0, 8)).toEqual(['a', 'a~2', 'a~3', 'a~4', 'a~5', 'a~6', 'a~8', 'a~9']);
});
