import fc from 'fast-check';
import { maskSecrets, maskSecretsInText } from '../src/mask-secrets.js';

const secret = 'hunter2hunter2hunter2';
// Put together here, so that nobody who searches for leaked keys finds one.
const [openai, github, amazon] = [`sk-${'proj-'}${secret}`, `gh${'p_'}${secret}`, `AK${'IA'}ABCDEFGHIJKLMNOP`];
const jwt = ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiIxIn0', 'c2lnbmF0dXJl'].join('.');

test.each([
  ['a variable', `GITHUB_TOKEN=${secret} npm publish`, 'GITHUB_TOKEN=*** npm publish'],
  ['a quoted variable', `export AWS_SECRET_ACCESS_KEY="${secret}"; ls`, 'export AWS_SECRET_ACCESS_KEY=***; ls'],
  ['a variable behind another', `env A=1 PGPASSWORD='${secret} x' psql`, 'env A=1 PGPASSWORD=*** psql'],
  ['JSON in a text', `{"api_key":"${secret}","a":1}`, '{"api_key":***,"a":1}'],
  ['JSON in JSON', `{\\"apiKey\\":\\"${secret}\\"}`, '{\\"apiKey\\":***}'],
  ['a header', `curl -H 'Authorization: Bearer ${secret}' x`, "curl -H 'Authorization: ***' x"],
  ['a bearer token alone', `uses Bearer ${secret}, then`, 'uses Bearer ***, then'],
  ['cookies', `Cookie: a=${secret}; b=${secret}\nnext`, 'Cookie: ***\nnext'],
  ['an option', `login --password ${secret} --verbose`, 'login --password *** --verbose'],
  ['an option with =', `login --api-key=${secret}`, 'login --api-key=***'],
  ['credentials of curl', `curl -u me:${secret} x`, 'curl -u me:*** x'],
  ['credentials in an address', `git push https://me:${secret}@example.org/x`, 'git push https://***@example.org/x'],
  ['a token in an address', `git push https://${secret}@example.org/x`, 'git push https://***@example.org/x'],
  ['a key by its shape', `uses ${openai} here`, 'uses *** here'],
  ['a key of GitHub', `(${github})`, '(***)'],
  ['a key of Amazon', amazon, '***'],
  ['a JSON web token', `got ${jwt}!`, 'got ***!'],
  [
    'a private key',
    `x\n-----BEGIN RSA PRIVATE KEY-----\n${secret}\n${secret}\n-----END RSA PRIVATE KEY-----\ny`,
    'x\n-----BEGIN PRIVATE KEY----- ***\ny',
  ],
  ['a private key that was cut off', `-----BEGIN PRIVATE KEY-----\n${secret}`, '-----BEGIN PRIVATE KEY----- ***'],
])('%s is masked', (_, text, expected) => {
  expect(maskSecretsInText(text)).toBe(expected);
});

test.each([
  'max_tokens: 800',
  '{"totalTokenCount":4,"maxOutputTokens":800}',
  'see https://example.org/a@b and mail me@example.org',
  'ask-for-something-that-is-long',
  'The basic rules of this project',
  'ls -u x',
])('%s is no secret', (text) => expect(maskSecretsInText(text)).toBe(text));

test('by the name under which it stands, whatever its case and its separators', () => {
  const names = ['api_key', 'apiKey', 'API-KEY', 'x.api.key', 'Authorization', 'set-cookie', 'accessToken', 'client_secret', 'DB_PASSWORD'];
  for (const name of names) expect(maskSecrets({ [name]: secret })).toEqual({ [name]: '***' });
  expect(maskSecrets({ env: { cookies: { a: secret }, list: [{ password: 12345 }] } })).toEqual({
    env: { cookies: '***', list: [{ password: '***' }] },
  });
  const plain = { max_tokens: 5, token: null, password: '', isSecret: true, tool_name: 'write_file' };
  expect(maskSecrets(plain)).toEqual(plain);
});

test('texts anywhere in a value are masked, and nothing else changes', () => {
  expect(maskSecrets({ a: [{ command: `TOKEN=${secret} x` }], b: 1, c: null, d: true })).toEqual({
    a: [{ command: 'TOKEN=*** x' }],
    b: 1,
    c: null,
    d: true,
  });
});

test('what is long, deep or wide is shown in part', () => {
  expect(maskSecrets('a'.repeat(5_000_000))).toHaveLength(4_000);
  expect(JSON.stringify(maskSecrets(Array.from({ length: 1_000_000 }, () => 1))).length).toBeLessThan(20_000);
  const cyclic: Record<string, unknown> = { a: 1 };
  cyclic['self'] = cyclic;
  expect(JSON.stringify(maskSecrets(cyclic))).toContain('…');
});

test('never throws, whatever it is given, and what comes back is bounded and can be written as JSON', () => {
  const hostile = new Proxy(
    {},
    {
      ownKeys: () => {
        throw new Error('no');
      },
    },
  );
  expect(maskSecrets(hostile)).toMatch(/cannot be shown/);
  fc.assert(
    fc.property(fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true, maxDepth: 6 }), (value) => {
      expect((JSON.stringify(maskSecrets(value)) ?? '').length).toBeLessThan(60_000);
    }),
  );
});

test('a secret behind any other text is masked', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 500 }), fc.constantFrom(openai, github, `TOKEN=${secret}`), (before, text) => {
      expect(maskSecretsInText(`${before} ${text}`)).not.toContain(secret);
    }),
  );
});

test.each(['token'.repeat(1000), '-'.repeat(5000), 'eyJ-'.repeat(1200), 'a="'.repeat(1500), '-----BEGIN PRIVATE KEY-----'.repeat(150)])(
  'a text made to be slow is only read',
  (text) => expect(maskSecretsInText(text).length).toBeLessThanOrEqual(8_000),
);
