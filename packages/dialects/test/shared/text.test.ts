import { formatValue } from '../../src/shared/text.js';

test.each([
  ['abc', '"abc"'],
  ['x'.repeat(100), `"${'x'.repeat(58)}…`],
  [`npm_${'0123456789'.repeat(40)}`, '"***"'],
])('the value %j is shown as %s', (value, shown) => {
  expect(formatValue(value)).toBe(shown);
});

test('no first part of a secret is shown, also behind another one', () => {
  for (let length = 440; length < 500; length += 1) {
    expect(formatValue(`npm_${'x'.repeat(length)} postgres://admin:correct-horse@db`)).not.toContain('correct');
  }
});
