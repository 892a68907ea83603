import fc from 'fast-check';
import { createMasker } from '../../src/mask/masker.js';
import { createDecoder, createEncoder, createPlaceholderTable } from '../../src/mask/placeholders.js';

const secret = 'hunter2hunter2hunter2';
// Put together here, so that a search for leaked keys finds nothing.
const [openai, github] = [`sk-${'proj-'}${secret}`, `gh${'p_'}${secret}`];
const none = { home: undefined, tmp: undefined };
const tableOf = (roots = {}, secrets = {}) => createPlaceholderTable({ ...none, ...roots }, secrets);

test('record-replay case 12: no shape of a secret is left, wherever it is, and nothing else is changed', () => {
  const shapes: readonly (readonly [text: string, masked: string])[] = [
    [`GITHUB_TOKEN=${secret} npm publish`, 'GITHUB_TOKEN=*** npm publish'],
    [`curl -H 'Authorization: Bearer ${secret}' x`, "curl -H 'Authorization: ***' x"],
    [`git push https://me:${secret}@example.org/x`, 'git push https://***@example.org/x'],
    [`uses ${openai} here (${github})`, 'uses *** here (***)'],
    [JSON.stringify({ api_key: secret, a: 1 }), '{"api_key":"***","a":1}'],
    [JSON.stringify({ text: JSON.stringify({ password: secret }) }), '{"text":"{\\"password\\":\\"***\\"}"}'],
    [`${'line\n'.repeat(420_000)}TOKEN=${secret}`, `${'line\n'.repeat(420_000)}TOKEN=***`],
  ];
  const payloadOf = (text: string, value: string) => ({
    correlationId: 'a-1',
    input: { tool_input: { content: text, password: value, list: ['--token', value, [text]] }, [text.slice(0, 200)]: 1 },
    output: {
      outcomes: [{ stdout: text, stderr: text, exitCode: 0 }],
      changes: [
        { path: 'tool_input.password', hookId: 'h', before: value, after: `${value}x` },
        { path: 'tool_input.path', hookId: 'h', before: 'a', after: text },
      ],
    },
  });
  const mask = createMasker({ table: tableOf(), mask: true });
  for (const [text, masked] of shapes) {
    const expected = payloadOf(masked, '***');
    const changes = expected.output.changes.map((change) => ({ ...change, after: change.after === '***x' ? '***' : change.after }));
    const result = mask(payloadOf(text, secret)) as ReturnType<typeof payloadOf>;
    expect(JSON.stringify(result)).not.toContain(secret);
    expect(result.output).toEqual({ ...expected.output, changes });
    expect(result.input.tool_input).toEqual(expected.input.tool_input);
  }
  const harmless = { max_tokens: 5, text: 'max_tokens: 800 PWD=/home/me pass: 12', deep: [[[['x'.repeat(9_000)]]]] };
  expect(mask(harmless)).toEqual(harmless);
});

test('record-replay case 13: the value of a secret is nowhere, also within JSON, and is filled in again', () => {
  const value = 'correct"horse\n⟦home⟧';
  const table = tableOf({}, { STATION_KEY: value });
  const mask = createMasker({ table, mask: true });
  const payload = {
    content: `My key is ${value}; remember it.`,
    env: `API_KEY=${value} x`,
    stdin: JSON.stringify({ api_key: value, text: JSON.stringify({ password: value }) }),
    password: value,
    headers: { Authorization: `Bearer ${value}` },
    args: ['--token', value],
    [value]: 1,
  };
  const masked = mask(payload);
  for (const form of [value, JSON.stringify(value).slice(1, -1)]) expect(JSON.stringify(masked)).not.toContain(form);
  expect(masked).toMatchObject({
    content: 'My key is ⟦secret:STATION_KEY⟧; remember it.',
    stdin: '{"api_key":"⟦secret:STATION_KEY#1⟧","text":"{\\"password\\":\\"⟦secret:STATION_KEY#2⟧\\"}"}',
    password: '⟦secret:STATION_KEY⟧',
    headers: { Authorization: 'Bearer ⟦secret:STATION_KEY⟧' },
  });
  const missing = new Set<string>();
  const decode = createDecoder(table, missing);
  expect(Object.keys(masked as object)).toContain('⟦secret:STATION_KEY⟧');
  for (const [key, text] of Object.entries(masked as Record<string, string>)) {
    if (typeof text === 'string' && Object.hasOwn(payload, key)) expect(decode(text)).toBe((payload as Record<string, unknown>)[key]);
  }
  expect([...missing]).toEqual([]);
  createDecoder(tableOf(), missing)('a ⟦secret:STATION_KEY#1⟧ ⟦project⟧ ⟦⟦home⟧');
  expect([...missing]).toEqual(['secret:STATION_KEY', 'project']);
});

const long = Array.from({ length: 60 }, () => 'level').join('.');

test.each([
  'tool_input.password',
  'tool_input.password.old',
  'tool_input.config.api.key',
  'tool_input',
  `tool_input.${long}.password`,
  `tool_input.password.${long}`,
  `tool_input.${long}.api.key`,
])('the values of a change are masked as those of the input are, also if the key has a dot: %s', (path) => {
  const mask = createMasker({ table: tableOf(), mask: true });
  const value = path === 'tool_input' ? { 'password.old': secret } : secret;
  const masked = mask({ output: { changes: [{ path, hookId: 'h', before: value, after: value }] } });
  expect(JSON.stringify(masked)).not.toContain(secret);
  expect(masked).toMatchObject({ output: { changes: [{ path, hookId: 'h' }] } });
});

test('a change of a value that is not a secret is kept', () => {
  const mask = createMasker({ table: tableOf(), mask: true });
  const payload = {
    output: {
      changes: [
        { path: 'tool_input.PWD', hookId: 'h', before: '/a', after: '/b' },
        { path: 'tool_input.env.PWD', hookId: 'h', before: '/a', after: '/b' },
        { path: 'llm_request.config.maxOutputTokens', hookId: 'h', before: 1, after: 2 },
        { path: 'tool_input.path', hookId: 'h', after: 'notes.txt' },
      ],
    },
  };
  expect(mask(payload)).toEqual(payload);
});

test('a secret is replaced as a URL and as JSON with escaped slashes contain it, and is filled in again', () => {
  const value = 'wJalrXUt/K7MDENG+bPx=';
  const table = tableOf({}, { KEY: value });
  const text = `{"key":"wJalrXUt\\/K7MDENG+bPx="} https://host/?q=${encodeURIComponent(value)} ${value}`;
  const encoded = createEncoder(table)(text);
  expect(encoded).toBe('{"key":"⟦secret:KEY#3⟧"} https://host/?q=⟦secret:KEY#4⟧ ⟦secret:KEY⟧');
  expect(createDecoder(table, new Set())(encoded)).toBe(text);
  // A value without such characters has one form.
  const missing = new Set<string>();
  expect(createDecoder(tableOf({}, { KEY: 'plainplain' }), missing)(encoded)).toBe(
    '{"key":"plainplain"} https://host/?q=plainplain plainplain',
  );
  expect([...missing]).toEqual([]);
});

test.each([
  ['JavaScript', (value: string) => encodeURIComponent(value)],
  [
    'RFC 3986',
    (value: string) => encodeURIComponent(value).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`),
  ],
  ['a form', (value: string) => new URLSearchParams({ q: value }).toString().slice(2)],
])('a secret is replaced in a URL as %s writes it, with digits in upper and in lower case', (_writer, write) => {
  const value = "wJalrXUt/K7M (DE'NG)*+bPx=~";
  const table = tableOf({}, { KEY: value });
  const lower = write(value).replace(/%../g, (digits) => digits.toLowerCase());
  expect(lower).not.toBe(write(value));
  for (const written of [write(value), lower]) {
    const encoded = createEncoder(table)(`https://host/?q=${written}&n=1`);
    expect(encoded).toMatch(/^https:\/\/host\/\?q=⟦secret:KEY#[4-9]⟧&n=1$/);
    expect(createDecoder(table, new Set())(encoded)).toBe(`https://host/?q=${written}&n=1`);
  }
});

test('a secret that begins with the character of placeholders is replaced', () => {
  const value = '⟦hunter2hunter2';
  const table = tableOf({}, { KEY: value });
  expect(createEncoder(table)(`a ${value} ⟦b`)).toBe('a ⟦secret:KEY⟧ ⟦⟦b');
  expect(createDecoder(table, new Set())('a ⟦secret:KEY⟧ ⟦⟦b')).toBe(`a ${value} ⟦b`);
});

test('a known secret in a header, in an entry of netrc and in an element is filled in again', () => {
  const table = tableOf({}, { KEY: secret });
  const mask = createMasker({ table, mask: true });
  const text = `curl -H "Authorization: Bearer ${secret}" https://me:${secret}@h; machine h login me password ${secret} <token>${secret}</token>`;
  const masked = (mask({ text }) as { text: string }).text;
  expect(masked).not.toContain('***@h; machine');
  expect(createDecoder(table, new Set())(masked)).toBe(text);
});

test('a value in which a known secret is only a part is masked whole', () => {
  const mask = createMasker({ table: tableOf({}, { KEY: secret }), mask: true });
  expect(mask({ text: `password="${secret}andmore" and ${secret}` })).toEqual({ text: 'password="***" and ⟦secret:KEY⟧' });
});

test('record-replay case 14: a text with a literal placeholder comes back as it was', () => {
  const table = tableOf({ project: '/srv/app', home: '/home/me', tmp: '/tmp' }, { KEY: secret });
  const [encode, decode] = [createEncoder(table), createDecoder(table, new Set())];
  const part = fc.constantFrom('⟦', '⟧', 'project', 'secret:KEY', '/srv/app', '/home/me', secret, '/', 'x', ' ', '⟦project⟧');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
      const text = parts.join('');
      expect(decode(encode(text))).toBe(text);
      expect(encode(text)).not.toContain(secret);
    }),
  );
});

test.each([
  ['/srv/app/a.txt and /srv/app', '⟦project⟧/a.txt and ⟦project⟧'],
  ['/srv/app-copy /srv/app.bak /x/srv/app', '/srv/app-copy /srv/app.bak /x/srv/app'],
  [
    'PATH=/home/me/bin:/srv/app/bin -I/home/me/include file:///srv/app. (/home/me)',
    'PATH=⟦home⟧/bin:⟦project⟧/bin -I⟦home⟧/include file://⟦project⟧. (⟦home⟧)',
  ],
  ['/home/me/work/x /tmp/y', '⟦home⟧/work/x ⟦tmp⟧/y'],
])('roots are replaced at path boundaries, the longest first: %s', (text, expected) => {
  expect(createEncoder(tableOf({ project: '/srv/app', home: '/home/me', tmp: '/tmp' }))(text)).toBe(expected);
});

test('the working directory in an environment is not a secret, also with a placeholder', () => {
  const mask = createMasker({ table: tableOf({ project: '/srv/app' }), mask: true });
  expect(mask({ env: { PWD: '/srv/app' }, text: 'PWD=/srv/app DB_PWD=/srv/app' })).toEqual({
    env: { PWD: '⟦project⟧' },
    text: 'PWD=⟦project⟧ DB_PWD=***',
  });
});
