import { unusableValue } from '../../src/results/unusable-value.js';

function nested(levels: number, innermost: unknown = {}): unknown {
  let value = innermost;
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? { value } : [value];
  return value;
}

test.each([undefined, null, 7, 'text', true, {}, [], { a: [1, null, { b: 'c' }] }, nested(255)])('%p can be passed on', (value) => {
  expect(unusableValue('tool_input', value)).toBeUndefined();
});

test('a value of 257 levels, and one of 100,000, is too deep', () => {
  for (const levels of [256, 100_000]) {
    const message = 'tool_input is nested deeper than 256 levels. It was dropped.';
    expect(unusableValue('tool_input', nested(levels))).toEqual({ code: 'too_deep', message });
  }
});

test.each([Number.POSITIVE_INFINITY, [1, Number.NEGATIVE_INFINITY], { a: { b: Number.NaN } }, { a: [5n] }])(
  '%p cannot be written as JSON',
  (value) => {
    expect(unusableValue('tool_input', value)?.code).toBe('wrong_type');
  },
);

test('a value that holds itself once is too deep', () => {
  const circular: Record<string, unknown> = {};
  Object.assign(circular, { self: circular });
  expect(unusableValue('tool_input', circular)?.code).toBe('too_deep');
});
