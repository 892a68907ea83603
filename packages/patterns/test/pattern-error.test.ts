import { quotePiece, refuseTooLong } from '../src/pattern-error.js';

test('exactly 10,000 characters are not too long', () => {
  expect(refuseTooLong('a'.repeat(10_000))).toBeUndefined();
  expect(refuseTooLong('a'.repeat(10_001))).toMatchObject({ ok: false });
});

test('a quoted piece keeps its backslashes', () => {
  expect(quotePiece('a\\d')).toBe('"a\\d"');
});

test('a quoted piece has no control characters and an end', () => {
  expect(quotePiece('\u001b[0m\u2028')).toBe('"\\u001b[0m\\u2028"');
  expect(quotePiece('a'.repeat(61))).toBe(`"${'a'.repeat(60)}…"`);
});
