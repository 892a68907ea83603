import { unusableValue } from '../../src/results/unusable-value.js';

test('a value that holds itself twice is too deep, and one that holds one thing in many places is looked at once a level', () => {
  const circular: Record<string, unknown> = {};
  Object.assign(circular, { left: circular, right: circular });
  expect(unusableValue('tool_input', circular)?.code).toBe('too_deep');
  let shared: unknown = 'leaf';
  for (let level = 0; level < 200; level += 1) shared = [shared, shared];
  expect(unusableValue('tool_input', shared)).toBeUndefined();
});
