import fc from 'fast-check';
import { maskSecrets, maskWhole } from '../../../src/log/masking/mask-secrets.js';

const secret = 'hunter2hunter2hunter2';
// The keys are put together here, so that a search for leaked keys finds nothing.
const [openai, github, amazon] = [`sk-${'proj-'}${secret}`, `gh${'p_'}${secret}`, `AK${'IA'}ABCDEFGHIJKLMNOP`];
const jwt = ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiIxIn0', 'c2lnbmF0dXJl'].join('.');

test.each([
  ['a variable', `GITHUB_TOKEN=${secret} npm publish`, 'GITHUB_TOKEN=*** npm publish'],
  ['a quoted variable', `export AWS_SECRET_ACCESS_KEY="${secret}"; ls`, 'export AWS_SECRET_ACCESS_KEY="***"; ls'],
  ['a variable behind another', `env A=1 PGPASSWORD='${secret} x' psql`, "env A=1 PGPASSWORD='***' psql"],
  ['JSON in a text', `{"api_key":"${secret}","a":1}`, '{"api_key":"***","a":1}'],
  ['JSON in JSON', `{\\"apiKey\\":\\"${secret}\\"}`, '{\\"apiKey\\":\\"***\\"}'],
  ['a header', `curl -H 'Authorization: Bearer ${secret}' x`, "curl -H 'Authorization: ***' x"],
  ['a bearer token alone', `uses Bearer ${secret}, then`, 'uses Bearer ***, then'],
  ['cookies', `Cookie: a=${secret}; b=${secret}\nnext`, 'Cookie: ***\nnext'],
  ['a secret key of Stripe', `sk_live_${secret} rk_live_${secret}`, '*** ***'],
  ['DB_PASS', `DB_PASS=${secret} run`, 'DB_PASS=*** run'],
  ['MYSQL_PWD', `MYSQL_PWD=${secret} mysql`, 'MYSQL_PWD=*** mysql'],
  ['pwd in a connection string', `Uid=me;Pwd=${secret}`, 'Uid=me;Pwd=***'],
  ['a password of camel case', `{ dbPass: '${secret}' }`, "{ dbPass: '***' }"],
  ['AccountKey', `AccountName=a;AccountKey=${secret}==;EndpointSuffix=x y`, 'AccountName=a;AccountKey=*** y'],
  [
    'a key of PGP',
    `x\n-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n${secret}\n-----END PGP PRIVATE KEY BLOCK-----\ny`,
    'x\n-----BEGIN PRIVATE KEY----- ***\ny',
  ],
  ['a token of Docker', `x dckr_pat_${secret}`, 'x ***'],
  ['a token of PyPI', `x pypi-${secret}`, 'x ***'],
  ['a token of an app of Slack', `x xapp-1-${secret}`, 'x ***'],
  ['any token of Slack', `x xoxz-1-${secret}`, 'x ***'],
  ['a token of Google', `x ya29.${secret}-x.y`, 'x ***'],
  ['a key of SendGrid', `x SG.${secret}.${secret}!`, 'x ***!'],
  ['a token of npm, GitLab, Hugging Face', `npm_${secret},glpat-${secret},hf_${secret}`, '***,***,***'],
  ['an escaped quote', `password: "hun\\"ter2xyz", a: 1`, 'password: "***", a: 1'],
  ['an escaped backslash at the end', `password: "hunter2\\\\", a: 1`, 'password: "***", a: 1'],
  ['a part of a value after a mask', `password=[REDACTED]${secret} x`, 'password=*** x'],
  ['a list', `{"password":["${secret}", "${secret}"],"a":1}`, '{"password":***,"a":1}'],
  ['an object', `{"credentials":{"a":{"b":"${secret}}"}},"a":1}`, '{"credentials":***,"a":1}'],
  ['a list without an end', `{"password":["${secret}", "${secret}`, '{"password":***'],
  ['JSON in JSON with an escaped quote', `{\\"password\\":\\"hun\\\\\\"ter2\\",\\"a\\":1}`, '{\\"password\\":\\"***\\",\\"a\\":1}'],
  ['JSON in JSON in JSON', `\\\\\\"password\\\\\\":\\\\\\"${secret}\\\\\\",\\\\\\"a`, '\\\\\\"password\\\\\\":\\\\\\"***\\\\\\",\\\\\\"a'],
  ['a name and its value', `{name:'password', value:'${secret}', a:1}`, "{name:'password', value:'***', a:1}"],
  ['a name and its value in JSON', `{"name":"DB_PASSWORD","value":"${secret}"}`, '{"name":"DB_PASSWORD","value":"***"}'],
  ['a name and its value in YAML', `- name: DB_PASSWORD\n  value: ${secret}\n- b`, '- name: DB_PASSWORD\n  value: ***\n- b'],
  ['a list of arguments', `['--password','${secret}','-x']`, "['--password','***','-x']"],
  ['a list of arguments in JSON', `["--db-pass", "${secret}"]`, '["--db-pass", "***"]'],
  ['a list of arguments in JSON in JSON', `[\\"--token\\",\\"${secret}\\"]`, '[\\"--token\\",\\"***\\"]'],
  ['a value with a semicolon', `password=a;${secret} x`, 'password=*** x'],
  ['a value with an ampersand and a comma', `password=a&b,${secret} x`, 'password=*** x'],
  ['a value with a quote inside', `password=a"b"${secret} x`, 'password=*** x'],
  ['a value with an escaped space', `password=a\\ ${secret} x`, 'password=*** x'],
  ['a token of digits', 'token=123456789', 'token=***'],
  ['an arrow', `'password' => '${secret}'`, "'password' => '***'"],
  ['Go', `password := "${secret}"`, 'password := "***"'],
  ['a password with an @ in an address', `postgres://me:p@${secret}@host/db`, 'postgres://***@host/db'],
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
  [
    'a key of SSH2',
    `---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\n${secret}\n---- END SSH2 ENCRYPTED PRIVATE KEY ----`,
    '-----BEGIN PRIVATE KEY----- ***',
  ],
  [
    'the end of a private key',
    `the end here\n  MIIE${secret}\n  ${secret}==\n-----END RSA PRIVATE KEY-----\ny`,
    'the end here\n  *** -----END PRIVATE KEY-----\ny',
  ],
  [
    'the end of a private key in JSON',
    JSON.stringify({ key: `${secret}\r\n${secret}\n-----END PRIVATE KEY-----\n` }),
    '{"key":"*** -----END PRIVATE KEY-----\\n"}',
  ],
  ['an entry of netrc', `machine h login me password ${secret}\nx`, 'machine h login me password ***\nx'],
  [
    'entries of netrc',
    `machine h\n  password ${secret}\n  login me\nmachine i\n\tlogin me\n\tpassword "${secret} x"\n`,
    'machine h\n  password ***\n  login me\nmachine i\n\tlogin me\n\tpassword "***"\n',
  ],
  ['the default of netrc', `default login me password ${secret}`, 'default login me password ***'],
  [
    'netrc in JSON',
    JSON.stringify([`machine h\nlogin me\npassword ${secret}\nmachine i login me password ${secret}\n`]),
    '["machine h\\nlogin me\\npassword ***\\nmachine i login me password ***\\n"]',
  ],
  ['the end of an entry of netrc', `  login me\n  password ${secret}`, '  login me\n  password ***'],
  ['an element', `<user><password>${secret}</password></user>`, '<user><password>***</password></user>'],
  ['an element with lines', `<password>\n  ${secret} x\n</password>`, '<password>***</password>'],
  ['an element with a namespace', `<w:Password Type="x">${secret}</w:Password>`, '<w:Password Type="x">***</w:Password>'],
  ['an element with a section', `<token> <![CDATA[<${secret}>]]></token>`, '<token>***</token>'],
  ['an element whose end was cut off', `<a>b</a><password>${secret}`, '<a>b</a><password>***'],
  ['an element within an element', `<credentials><id>me</id><apiKey>${secret}</apiKey>`, '<credentials><id>me</id><apiKey>***</apiKey>'],
  [
    'an element in JSON of Go',
    `\\u003cpassword\\u003e${secret}\\u003c/password\\u003e`,
    '\\u003cpassword\\u003e***\\u003c/password\\u003e',
  ],
  ['an element in an element', `&lt;password&gt;${secret}&lt;/password&gt;`, '&lt;password&gt;***&lt;/password&gt;'],
  ['a property', `<property name="db.password">${secret}</property>`, '<property name="db.password">***</property>'],
  ['a property list', `<key>API Token</key>\n\t<string>${secret}</string>`, '<key>API Token</key>\n\t<string>***</string>'],
  ['attributes', `<db user="me" password="${secret}"/><x token='${secret}'>`, `<db user="me" password="***"/><x token='***'>`],
  ['an attribute beside its name', `<add key="ApiKey" value="${secret}"/>`, '<add key="ApiKey" value="***"/>'],
  ['credentials in an address in JSON of PHP', `https:\\/\\/me:${secret}@h\\/x`, 'https:\\/\\/***@h\\/x'],
  ['a password with a slash in an address', `postgres://me:${secret}/x@h/db`, 'postgres://***@h/db'],
  ['credentials in an address that was cut off', `git clone https://me:${secret}`, 'git clone https://me:***'],
  ['a token in quotes', `curl -H 'Authorization: Token token="${secret}"' x`, "curl -H 'Authorization: ***' x"],
  ['a token in escaped quotes', `curl -H "Authorization: Token token=\\"${secret}\\"" x`, 'curl -H "Authorization: ***" x'],
  [
    'several values in quotes',
    `> Authorization: OAuth oauth_token="${secret}", oauth_signature="${secret}"\n> Host: h`,
    '> Authorization: ***\n> Host: h',
  ],
  ['a header with an escaped blank', `curl -H Authorization:\\ Bearer\\ ${secret} x`, 'curl -H Authorization:*** x'],
  ['a header before others', `-H "Authorization: Basic aGVsbG8=" -H "X: y" "z"`, '-H "Authorization: ***" -H "X: y" "z"'],
  ['a password of curl with a blank', `curl -u "me:${secret} x" y`, 'curl -u "me:***" y'],
  ['a password of curl in JSON', JSON.stringify(`curl -u "me:${secret}" y`), '"curl -u \\"me:***\\" y"'],
  ['a password for a proxy', `curl --proxy-user me:${secret} -U 'me:${secret}' y`, "curl --proxy-user me:*** -U 'me:***' y"],
  ['a password of curl with the other quote', `curl -u "me:it's ${secret}" y`, 'curl -u "me:***" y'],
  ['a header whose value is in quotes', `{ Authorization: 'Token ${secret}' }`, "{ Authorization: '***' }"],
  ['a header in YAML', `Cookie: "a=${secret}"\nx: y`, 'Cookie: "***"\nx: y'],
  ['a header with an empty value', `Authorization: Digest a="", response="${secret}"`, 'Authorization: ***'],
  ['a header behind many blanks', `Authorization:      Token ${secret}`, 'Authorization:      ***'],
  ['an aligned value', `password:        ${secret}\ntoken           = ${secret}`, 'password:        ***\ntoken           = ***'],
  ['an element with an entity', `<password>a&lt;${secret}</password>`, '<password>***</password>'],
  ['an element with a section behind a text', `<token>a<![CDATA[${secret}]]></token>`, '<token>***</token>'],
  [
    'an element with a section in an element',
    `&lt;token&gt;&lt;![CDATA[${secret}]]&gt;&lt;/token&gt; x`,
    '&lt;token&gt;***&lt;/token&gt; x',
  ],
  ['an entry of netrc with a quote', `machine h login me password it's-${secret}\n`, 'machine h login me password ***\n'],
  ['netrc in a command', `echo "machine h login me password ${secret}" > a`, 'echo "machine h login me password ***" > a'],
  ['a private key that was cut off', `-----BEGIN PRIVATE KEY-----\n${secret}`, '-----BEGIN PRIVATE KEY----- ***'],
])('%s is masked, and stays as it is when it is masked again', (_, text, expected) => {
  expect(maskSecrets(text)).toBe(expected);
  expect(maskWhole(text)).toBe(expected);
  expect(maskWhole(expected)).toBe(expected);
});

test.each([
  'max_tokens: 800',
  '{"totalTokenCount":4,"maxOutputTokens":800}',
  'see https://example.org/a@b and mail me@example.org',
  'ask-for-something-that-is-long',
  'The basic rules of this project',
  'ls -u x',
  'PWD=/home/me OLDPWD=/',
  'bypass: all, compass=north, passed: 12',
  'run --max-tokens 800',
  'run --password --verbose',
  'max_tokens=800&prompt_tokens=12',
  'const found: Promise<Token> = tokens.get(a) as Map<Secret, Token>; return <Token>found;',
  '<TokenProvider><App /></TokenProvider> <password></password> <max_tokens>800</max_tokens>',
  '<input name="password"> <label>Password</label> use <token>.',
  'curl http://localhost:3000 http://example.org:8080/@scope/a https://h:443',
  'curl http://h:$PORT/@a http://localhost:port',
  'machine learning needs no password reset, and a login page',
  'Login with password failed. The default password is unset.',
  "curl -H 'Authorization: Bearer ***' x",
  'Authorization: \n',
  'password:\n      type: string',
  '-----END CERTIFICATE-----\n-----END PRIVATE KEY-----',
  'API_KEY=[REDACTED] {"password":"[REDACTED]"} {\\"password\\":\\"[REDACTED]\\"}',
])('%s is not a secret', (text) => {
  expect(maskSecrets(text)).toBe(text);
  expect(maskWhole(text)).toBe(text);
});

test('by the name under which it stands, whatever its case and its separators', () => {
  const names = ['api_key', 'apiKey', 'API-KEY', 'x.api.key', 'Authorization', 'set-cookie', 'accessToken', 'client_secret', 'DB_PASSWORD'];
  for (const name of names) expect(maskSecrets({ [name]: secret })).toEqual({ [name]: '***' });
  expect(maskSecrets({ env: { cookies: { a: secret }, list: [{ password: 12345 }] } })).toEqual({
    env: { cookies: '***', list: [{ password: '***' }] },
  });
  const plain = { max_tokens: 5, token: null, apiKey: '[REDACTED]', password: '', isSecret: true, tool_name: 'write_file' };
  expect(maskSecrets(plain)).toEqual(plain);
});

test('a number under the name of a secret is one, unless the name counts tokens', () => {
  expect(
    maskSecrets({ token: 123456789, pin: 1, promptTokens: 7, tokenCount: 3, tokens: 5, DB_PASS: 1, pwd: '/srv', MYSQL_PWD: 'x' }),
  ).toEqual({
    token: '***',
    pin: 1,
    promptTokens: 7,
    tokenCount: 3,
    tokens: 5,
    DB_PASS: '***',
    pwd: '/srv',
    MYSQL_PWD: '***',
  });
});

test('a value beside its name', () => {
  expect(
    maskSecrets([
      { value: secret, name: 'DB_PASSWORD' },
      { key: 'PATH', value: '/bin' },
    ]),
  ).toEqual([
    { value: '***', name: 'DB_PASSWORD' },
    { key: 'PATH', value: '/bin' },
  ]);
  expect(maskSecrets({ args: ['login', '--password', secret, '--user', 'me', '-u', `me:${secret}`] })).toEqual({
    args: ['login', '--password', '***', '--user', 'me', '-u', 'me:***'],
  });
  expect(maskSecrets({ headers: [['Authorization', secret]] })).toEqual({ headers: [['Authorization', '***']] });
  expect(maskSecrets(['--password', '--verbose'])).toEqual(['--password', '--verbose']);
});

test('what has been masked is not changed by masking it again', () => {
  const part = fc.constantFrom(
    'password',
    'a',
    '=',
    ':',
    '"',
    "'",
    '\\',
    ' ',
    ',',
    '[',
    ']',
    '{',
    '}',
    '--',
    'token',
    'name',
    'value',
    secret,
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 60 }), (parts) => {
      const masked = maskSecrets(parts.join(''));
      expect(maskSecrets(masked)).toEqual(masked);
    }),
  );
});

test('a quoted secret is masked whole, whatever is in it and however often it was written as JSON', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.string({ maxLength: 20 }),
      fc.nat({ max: 3 }),
      (before, after, levels) => {
        let text = JSON.stringify({ a: 1, password: `${before}${secret}${after}`, b: 'shown' });
        for (let level = 0; level < levels; level += 1) text = JSON.stringify({ text });
        expect(maskSecrets(text)).not.toContain(secret);
        expect(maskSecrets(text)).toContain('shown');
      },
    ),
  );
});

test('texts anywhere in a value are masked, and nothing else changes', () => {
  expect(maskSecrets({ a: [{ command: `TOKEN=${secret} x` }], b: 1, c: null, d: true })).toEqual({
    a: [{ command: 'TOKEN=*** x' }],
    b: 1,
    c: null,
    d: true,
  });
});

test('maskWhole masks what is long, deep or wide, and shortens nothing', () => {
  const text = `${'a '.repeat(100_000)}TOKEN=${secret} end`;
  expect(maskWhole(text)).toBe(`${'a '.repeat(100_000)}TOKEN=*** end`);
  let deep: unknown = { password: secret, kept: 'x'.repeat(5_000) };
  for (let level = 0; level < 200; level += 1) deep = { ['k'.repeat(150)]: [deep] };
  const masked = JSON.stringify(maskWhole(deep));
  expect(masked).toBe(JSON.stringify(deep).replace(secret, '***'));
});

test.each([
  ['a header', `Authorization: ${'a'.repeat(2 ** 24)}`, 'Authorization: ***'],
  ['values in quotes', `Authorization: ${'a="b" '.repeat(2 ** 21)}`, 'Authorization: ***'],
  ['an entry of netrc', `machine h login me password ${'a'.repeat(2 ** 24)}`, 'machine h login me password ***'],
  ['an element', `<token>${' '.repeat(2 ** 24)}<![CDATA[a]]></token>`, '<token>***</token>'],
])('the length of %s has no limit', (_, text, expected) => {
  // Compared outside of the matcher, which would print the text.
  expect(maskWhole(text) === expected).toBe(true);
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
      expect(maskSecrets(`${before} ${text}`)).not.toContain(secret);
    }),
  );
});

test.each([
  'token'.repeat(1000),
  '-'.repeat(5000),
  'eyJ-'.repeat(1200),
  'a="'.repeat(1500),
  '-----BEGIN PRIVATE KEY-----'.repeat(150),
  'password=['.repeat(400),
  'password="'.repeat(400),
  `password=${'\\'.repeat(3900)}`,
  '://'.repeat(1300),
  'name:token,'.repeat(350),
  '<token>'.repeat(600),
  '<token><![CDATA['.repeat(250),
  '<a name="token" '.repeat(250),
  '\\u003ca '.repeat(600),
  'machine login a password '.repeat(160),
  '-----END PRIVATE KEY-----'.repeat(150),
  '://a:b'.repeat(600),
  'authorization: a="b'.repeat(200),
])('a text made to be slow is only read', (text) => expect(String(maskSecrets(text)).length).toBeLessThanOrEqual(8_000));

test.each([
  'at Foo (/src/auth/token.ts:12:5)',
  'pass: 12, fail: 0',
  'pip install sk-learn-contrib hf_transfer_cache_dir',
  'npm_config_registry and npm_lifecycle_event are set',
])('%s holds no secret', (line) => {
  expect(maskSecrets(line)).toBe(line);
});

test('a password of curl is one, also where the name follows at once', () => {
  expect(maskSecrets(`curl -uuser:${secret} x`)).toBe('curl -uuser:*** x');
});

test.each([
  ['credentials in an address', `postgres://admin:${secret}@db.example.org/x`],
  ['a token of GitHub', `see ${github}`],
  ['a token of npm', `see npm_${secret}`],
  ['a JSON web token', `see ${jwt}`],
  ['a basic authorization', `Basic ${'aHVudGVyMmh1bnRlcjI6aHVudGVy'}`],
])('no part of %s is shown where a long text is cut', (_, text) => {
  const parts = [secret, jwt, 'aHVudGVyMmh1bnRlcjI6aHVudGVy'].flatMap((whole) => [whole.slice(0, 6)]);
  for (const [most, show] of [
    [4_000, (long: string) => maskSecrets(long)],
    [100, (long: string) => Object.keys(maskSecrets({ [long]: 1 }) as object)[0]],
  ] as const) {
    for (let before = 1; before < text.length; before += 1) {
      for (const after of ['', ' and more'.repeat(200)]) {
        const shown = String(show(`${' '.repeat(most - before)}${text}${after}`));
        for (const part of parts) expect(shown).not.toContain(part);
      }
    }
  }
});
