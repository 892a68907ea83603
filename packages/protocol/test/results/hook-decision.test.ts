import { stricter, verdictKinds, verdictOf } from '../../src/results/hook-decision.js';

test('every word of a hook has one meaning', () => {
  expect((['deny', 'block', 'ask', 'allow', 'approve', null, undefined] as const).map(verdictOf)).toEqual([
    'deny',
    'deny',
    'ask',
    'allow',
    'allow',
    'none',
    'none',
  ]);
});

test('deny > ask > allow > none, whichever comes first', () => {
  for (const [i, a] of verdictKinds.entries()) {
    for (const [j, b] of verdictKinds.entries()) expect(stricter(a, b)).toBe(verdictKinds[Math.max(i, j)]);
  }
  expect(verdictKinds).toEqual(['none', 'allow', 'ask', 'deny']);
});
