import { redacted } from '../../../src/gemini-cli/input/environment.js';

const kept = (environment: Record<string, string>, ...lists: Parameters<typeof redacted>[1][number][]) =>
  Object.keys(redacted(environment, lists.length === 0 ? [{}] : lists));

test('it is not requested, and everything stays', () => {
  const environment = { MY_TOKEN: 'x' };
  expect(redacted(environment, [])).toBe(environment);
});

test.each([
  'GITHUB_TOKEN',
  'client_secret',
  'DB_PASSWORD',
  'PASSWD',
  'API_KEY',
  'SSH_AUTH_SOCK',
  'CREDENTIALS',
  'AWS_CREDS',
  'PRIVATE',
  'CERT_FILE',
])('the name %s holds a secret', (name) => expect(kept({ [name]: 'x', OTHER: 'y' })).toEqual(['OTHER']));

test.each([
  '-----BEGIN RSA PRIVATE KEY-----\nMII',
  '-----BEGIN CERTIFICATE-----',
  'postgres://me:pass@host/db',
  `ghp_${'a'.repeat(36)}`,
  `github_pat_${'a'.repeat(30)}`,
  `sk-${'a'.repeat(40)}`,
  `sk_live_${'a'.repeat(24)}`,
  `AIza${'a'.repeat(35)}`,
  'AKIAIOSFODNN7EXAMPLE',
  'xoxb-1234567890-abc',
  'eyJhbGciOi.eyJzdWIi.c2ln',
])('the value %j is a secret under any name', (value) => expect(kept({ PLAIN: value })).toEqual([]));

test.each(['/usr/bin:/bin', 'https://host/path?x=1', 'https://host:8080/@scope', 'key', 'ghp_short', 'a sentence: with a colon@home'])(
  'the value %j is invalid',
  (value) => expect(kept({ PLAIN: value })).toEqual(['PLAIN']),
);

test('what nothing runs without stays, and what Gemini CLI itself is set with', () => {
  const value = `sk-${'a'.repeat(40)}`;
  expect(kept({ PATH: `/opt/${value}`, HOME: value, GEMINI_CLI_KEY: value })).toEqual(['PATH', 'HOME', 'GEMINI_CLI_KEY']);
});

test('lists make exceptions, whatever the letters; of several all must agree', () => {
  const environment = { My_Token: 'x', PLAIN: 'y' };
  expect(kept(environment, { allowed: ['MY_TOKEN'] })).toEqual(['My_Token', 'PLAIN']);
  expect(kept(environment, { blocked: ['plain'] })).toEqual([]);
  expect(kept(environment, { allowed: ['MY_TOKEN'] }, {})).toEqual(['PLAIN']);
});

test('a value of any length is read in no time', () => {
  for (const piece of ['eyJ', '://a:', 'sk-', '-----BEGIN ', 'ghp_']) expect(kept({ PLAIN: piece.repeat(100_000) }).length).toBeLessThan(2);
});
