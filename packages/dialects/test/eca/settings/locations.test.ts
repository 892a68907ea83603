import { eca } from '../../../src/index.js';
import { action, documentOf, machine, parsed } from '../eca-rig.js';

const dialect = eca();
const [project, user] = ['/srv/app/.eca/config.json', '/home/me/.config/eca/config.json'];

test('the workspace comes first, then the user', () => {
  expect(dialect.locations(machine())).toEqual([
    { source: 'project', file: project },
    { source: 'user', file: user },
  ]);
});

test('XDG_CONFIG_HOME moves the settings of the user, if it is absolute', () => {
  const userOf = (XDG_CONFIG_HOME: string) => dialect.locations(machine({}, { environment: { XDG_CONFIG_HOME } }))[1]?.file;
  expect(['/xdg', '/xdg/', '', 'xdg'].map(userOf)).toEqual(['/xdg/eca/config.json', '/xdg/eca/config.json', user, user]);
});

test('files that their author may take for settings are reported', () => {
  const found = (files: readonly string[], more = {}) =>
    dialect
      .lookalikes?.(machine(Object.fromEntries(files.map((file) => [file, '{}'])), more))
      .map(({ file, insteadOf }) => [file, insteadOf]);
  expect(found([project, user])).toEqual([]);
  expect(found(['/srv/app/.eca/hooks.json', '/home/me/.config/eca/settings.json', '/home/me/.eca/config.json'])).toEqual([
    ['/srv/app/.eca/hooks.json', project],
    ['/home/me/.config/eca/settings.json', user],
    ['/home/me/.eca/config.json', user],
  ]);
  expect(found(['/srv/.eca/config.json'])).toEqual([['/srv/.eca/config.json', project]]);
  expect(found([user], { environment: { XDG_CONFIG_HOME: '/xdg' } })).toEqual([[user, '/xdg/eca/config.json']]);
  expect(found([project], { home: '/srv/app' })).toEqual([]);
});

test('the types of a document are reported in their own spelling', () => {
  const hooks = {
    a: { type: 'preToolCall' },
    b: { type: 'prePrompt' },
    c: { type: 'toString' },
    d: { type: 7 },
    e: null,
    f: { type: 'PreToolUse', actions: [] },
  };
  expect(dialect.eventsIn?.({ hooks })).toEqual(['preToolCall', 'prePrompt', 'PreToolUse']);
  for (const other of [null, 7, [], {}, { hooks: [] }, { hooks: { BeforeTool: [{ hooks: [] }] } }])
    expect(dialect.eventsIn?.(other)).toEqual([]);
});

test('one key in two files is two hooks, and a warning that names both files', () => {
  const hooks = { guard: { type: 'preToolCall', actions: [action, action] }, own: { type: 'preToolCall', actions: [action] } };
  const documents = [documentOf({ hooks }), documentOf({ hooks: { guard: hooks.guard } }, 'user', user)];
  const settings = documents.map((document) => ({ source: document.source, ...parsed(undefined, machine(), document) }));
  const combined = dialect.combine?.(settings);
  expect(combined?.hooks).toHaveLength(5);
  expect(combined?.diagnostics).toEqual([
    expect.objectContaining({
      code: 'repeated_key',
      severity: 'warning',
      file: user,
      message: expect.stringMatching(/"guard".*\/srv\/app\/\.eca.*\/home\/me/),
    }),
  ]);
});

test('of several workspace folders the first is the one that has settings and scripts', () => {
  const host = eca({ workspaces: ['/srv/lib', '/srv/app'] });
  expect(host.locations(machine())[0]).toEqual({ source: 'project', file: '/srv/lib/.eca/config.json' });
  const document = documentOf({ hooks: { guard: { type: 'preToolCall', actions: [{ type: 'shell', file: 'g.sh' }] } } }, 'user', user);
  const [hook] = host.parse(document, machine({ '/srv/lib/g.sh': 'ls', '/srv/app/g.sh': 'ls' })).hooks;
  expect(hook?.action).toEqual({ kind: 'command', command: '/srv/lib/g.sh' });
});

const claims = eca().claims;
const windows = machine({}, { projectDir: 'C:\\app', home: 'C:\\Users\\me', platform: 'win32' });

test.each([
  ['/srv/app/.eca/config.json', { projectDir: '/srv/app' }],
  ['/srv/other/.eca/config.json', { projectDir: '/srv/other' }],
  ['.eca/config.json', { projectDir: '.' }],
  ['/.eca/config.json', { projectDir: '/' }],
  ['C:\\app\\.eca\\config.json', { projectDir: 'C:\\app' }],
  ['/home/me/.config/eca/config.json', {}],
  ['/home/other/.config/eca/config.json', {}],
  ['C:\\Users\\me\\.config\\eca\\config.json', {}],
  ['.config/eca/config.json', {}],
])('%s is of ECA by its place: %j', (file, expected) => {
  expect(claims?.(file, machine())).toEqual(expected);
});

test.each([
  '/srv/app/eca/config.json',
  'eca/config.json',
  '/xdg/eca/config.json',
  '/srv/config.json',
  '/srv/app/.eca/other.json',
  '/srv/x.eca/config.json',
  '',
])('%j belongs to a user whose folder is called eca, or is unrelated', (file) => {
  expect(claims?.(file, machine())).toBeUndefined();
});

test('the settings of the user are known wherever XDG_CONFIG_HOME puts them, and nowhere else under that name', () => {
  const context = machine({}, { environment: { XDG_CONFIG_HOME: '/xdg/' } });
  expect(claims?.('/xdg/eca/config.json', context)).toEqual({});
  expect(claims?.('/home/me/.config/eca/config.json', context)).toEqual({});
  expect(claims?.('/xdg/sub/eca/config.json', context)).toBeUndefined();
});

test('every place that is looked at is claimed, on Windows too', () => {
  for (const context of [machine(), windows, machine({}, { environment: { XDG_CONFIG_HOME: 'D:\\xdg' } })])
    for (const { file } of eca().locations(context)) expect(claims?.(file, context)).toBeDefined();
  expect(claims?.('C:\\Users\\me\\.config\\eca\\config.json', windows)).toEqual({});
});
