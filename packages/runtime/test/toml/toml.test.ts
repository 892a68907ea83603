import { readToml, tomlPlaces } from '../../src/toml/index.js';

const document = `# hooks of the team
title = "a"
[features]
hooks = true

[[hooks.PreToolUse]]
matcher = "apply_patch" # not ] this
text = """
[not.a.table]
"""
  [[hooks.PreToolUse.hooks]]
  command = 'echo "[x]"'
  [[hooks.PreToolUse.hooks]]
  command = "b"
[[hooks.PreToolUse]]
hooks = [ { command = "c" },
  { input = { a.b = 1 } } ]
[hooks.state."/srv/a b/hooks.json:stop:0:0"]
enabled = false
`;

test('the value of a document is plain JSON', () => {
  expect(readToml(document)).toEqual({
    ok: true,
    value: {
      title: 'a',
      features: { hooks: true },
      hooks: {
        PreToolUse: [
          { matcher: 'apply_patch', text: '[not.a.table]\n', hooks: [{ command: 'echo "[x]"' }, { command: 'b' }] },
          { hooks: [{ command: 'c' }, { input: { a: { b: 1 } } }] },
        ],
        state: { '/srv/a b/hooks.json:stop:0:0': { enabled: false } },
      },
    },
  });
});

test('dates become texts, large integers become numbers, and __proto__ is an ordinary key', () => {
  const read = readToml('at = 1979-05-27\nbig = 9007199254740993\n__proto__.polluted = 1\n');
  if (!read.ok) throw new Error(read.error.message);
  expect(JSON.stringify(read.value)).toBe('{"at":"1979-05-27","big":9007199254740992,"__proto__":{"polluted":1}}');
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test('an error has its line and column, and no text of the document', () => {
  expect(readToml('a = 1\nb = secret value')).toEqual({
    ok: false,
    error: { message: expect.any(String), line: 2, column: expect.any(Number) },
  });
  const read = readToml('token = "sk-very-secret\n');
  expect(JSON.stringify(read)).not.toContain('very-secret');
});

test.each<[string, (string | number)[], number]>([
  ['a table', ['features'], 3],
  ['a key', ['features', 'hooks'], 4],
  ['an item of an array of tables', ['hooks', 'PreToolUse', 0], 6],
  ['a key of such an item', ['hooks', 'PreToolUse', 0, 'matcher'], 7],
  ['a nested item', ['hooks', 'PreToolUse', 0, 'hooks', 1], 13],
  ['a key of a nested item', ['hooks', 'PreToolUse', 0, 'hooks', 0, 'command'], 12],
  ['an inline table', ['hooks', 'PreToolUse', 1, 'hooks', 1], 17],
  ['a key in an inline table', ['hooks', 'PreToolUse', 1, 'hooks', 1, 'input', 'a', 'b'], 17],
  ['a key in quotes', ['hooks', 'state', '/srv/a b/hooks.json:stop:0:0', 'enabled'], 19],
  ['a missing key, of which the parent is found', ['hooks', 'PreToolUse', 1, 'matcher'], 15],
  ['nothing of the document', ['other'], 1],
])('the line of %s', (_, path, line) => {
  const offset = tomlPlaces(document)(path);
  expect(document.slice(0, offset).split('\n')).toHaveLength(line);
});

test.each([
  `${'a.'.repeat(50_000)}b = 1\n`,
  `[${'a.'.repeat(50_000)}b]\nx = 1\n`,
  `a = ${'['.repeat(900)}${'1,'.repeat(50_000)}${']'.repeat(900)}\n`,
])('a document with extreme nesting is located: %#', (text) => {
  expect(tomlPlaces(text)(['a'])).toBeGreaterThanOrEqual(0);
});

test.each(['a = [', '[x', '= =', '"', "a = '''", 'a = {b', '[[['])(
  'the places of a text that is not TOML are found without an endless loop: %s',
  (text) => {
    expect(tomlPlaces(text)(['a', 'b'])).toBeGreaterThanOrEqual(0);
  },
);
