import { createCorrelationIds } from '../../src/correlation-id.js';

test('ids are not repeated, within a source and between sources', () => {
  const sources = Array.from({ length: 100 }, createCorrelationIds);
  const ids = sources.flatMap((nextId) => Array.from({ length: 100 }, nextId));
  expect(new Set(ids).size).toBe(10_000);
});
