import { maskBeginning, maskShort } from '../../../src/log/masking/mask-beginning.js';

const secret = `npm_${'0123456789'.repeat(3)}`;

test.each([
  ['a text that fits', 'abcde', 'abcde'],
  ['a longer one', 'abcdef', 'abcd…'],
  ['one that fits when its secret is masked', secret, '***'],
  ['one whose rest is not read', 'x'.repeat(10_000), 'xxxx…'],
  ['one that begins with a secret that is not read to its end', `npm_${'x'.repeat(10_000)}`, '…'],
  ['one that begins with a long secret', `${secret}${'0'.repeat(500)} ${'x'.repeat(10_000)}`, '…'],
])('%s is shortened after it is masked', (_, text, shown) => {
  expect(maskShort(text, 5)).toBe(shown);
});

test('a long secret does not hide what is around it', () => {
  const long = `-----BEGIN PRIVATE KEY-----${'x'.repeat(3_000)}-----END PRIVATE KEY-----`;
  expect(maskBeginning(`before ${long} after ${'y'.repeat(3_000)}`, 4_000).shown).toMatch(
    /^before -----BEGIN PRIVATE KEY----- \*\*\* after y{900}/,
  );
  expect(maskBeginning(`before ${long} after ${'y'.repeat(3_000)}`, 100).shown).toBe('before -----BEGIN PRIVATE KEY----- ***');
});

test('a text that is longer when it is masked is cut too', () => {
  expect(maskBeginning('password=a', 11)).toEqual({ shown: 'password=**', isCut: true });
});
