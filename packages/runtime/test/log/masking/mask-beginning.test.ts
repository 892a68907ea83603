import fc from 'fast-check';
import { maskBeginning, maskShort, withoutCutSecret } from '../../../src/log/masking/mask-beginning.js';
import { maskText } from '../../../src/log/masking/mask-text.js';

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

const token = `gh${'p_'}hunter2hunter2`;

test.each([
  ['an address', 'see https://me:hunter2@example.org/x now', 'hunter2', 3],
  ['a token', `uses ${token} now`, 'hunter2', 3],
  ['a token of npm', `uses npm_${'hunter2'.repeat(4)} now`, 'hunter2', 3],
  ['a key of Amazon', `uses AK${'IA'}HUNTERHUNTERHUN now`, 'HUNTER', 3],
  ['basic credentials', 'uses Basic aHVudGVyMjpodW50ZXIy now', 'aHVu', 3],
  ['a bearer', 'uses Bearer hUnter2hunter2 now', 'hUnter2', 3],
])('no part of %s is shown, wherever the text was cut', (_, text, secret, least) => {
  const begin = text.indexOf(secret);
  for (let end = begin + least; end < text.length; end += 1) {
    const part = text.slice(begin, Math.min(end, begin + secret.length));
    expect([end, maskText(withoutCutSecret(text.slice(0, end)))]).toEqual([end, expect.not.stringContaining(part)]);
    expect([end, maskText(`"${text.slice(0, end)}…" is shown`)]).toEqual([end, expect.not.stringContaining(part)]);
  }
});

test.each([
  ['a password in quotes', 'curl -u "me:correct horse battery" https://example.org', 'correct horse battery'],
  ['an XML element', '<password>correct horse battery</password> now', 'correct horse battery'],
  ['an XML element in JSON', '{"x":"\\u003cpassword\\u003ecorrect horse battery\\u003c/password\\u003e"}', 'correct horse battery'],
  ['a property list', '<key>Password</key>\n<string>correct horse battery</string>', 'correct horse battery'],
  ['a header', 'Authorization: Token token="correct horse battery"', 'correct horse battery'],
  ['a password with a slash', 'see postgres://me:correct/horse@example.org', 'correct/horse'],
])('no word of %s is kept without a mask, wherever the text was cut', (_, text, secret) => {
  const begin = text.indexOf(secret);
  for (let end = begin + 4; end <= text.length; end += 1) {
    const shown = maskText(withoutCutSecret(text.slice(0, end)));
    const words = secret.split(/[ /]/).filter((word) => shown.includes(word.slice(0, 4)));
    expect([end, shown, words]).toEqual([end, shown, []]);
  }
});

test('an answer that is whole is kept, whatever is in it', () => {
  const part = fc.constantFrom(
    'https://me:pw@h',
    'https://me:pw',
    '<password>x',
    'Bearer abc',
    token,
    '-u "me:x',
    '…',
    ' ',
    '\n',
    '-----BEGIN KEY-----',
  );
  const reason = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(reason, (text) => {
      const answer = JSON.stringify({ decision: 'deny', reason: text, token: 1 });
      expect(withoutCutSecret(answer)).toBe(answer);
    }),
  );
});

test.each([
  ['', ''],
  ['a word that is c', 'a word that is c'],
  ['x'.repeat(10_000), 'x'.repeat(10_000)],
  [`${'x'.repeat(10_000)} gh${'p_'}hun`, `${'x'.repeat(10_000)} `],
  [`{"url":"https://me:hun`, '{"url":"'],
  ['token=hun', 'token=hun'],
  ['see https://example.org', 'see https://example.org'],
  [`\ngh${'p_'}hun`, '…'],
])('of %#, what may be a part of a secret is left out, and nothing else', (text, kept) => {
  expect(withoutCutSecret(text)).toBe(kept);
});

test('what was masked before an ellipsis stays as it is, and so does what follows a private key', () => {
  const part = fc.constantFrom(
    'https://',
    'a:b',
    '@',
    '…',
    ' ',
    '"',
    token.slice(0, 7),
    token,
    'npm_x',
    'Bearer ',
    '-----BEGIN PRIVATE KEY-----\nx',
    '-----END PRIVATE KEY-----\n',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
      const masked = maskText(parts.join(''));
      expect(maskText(masked)).toBe(masked);
    }),
  );
});

test.each([
  'https://host/…',
  'https://…',
  'npm_config_registry is set …',
  'https://example.org/a/b…',
  'sk-learn is … used',
  'Cloning https://example.org…',
  'Waiting for http://localhost:3000…',
  'Running basic tests…',
  'Checking the bearer token…',
])('%s has no secret before the ellipsis', (text) => {
  expect(maskText(text)).toBe(text);
});
