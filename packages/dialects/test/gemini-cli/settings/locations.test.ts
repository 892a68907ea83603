import { geminiCli } from '../../../src/gemini-cli/index.js';
import { machine } from '../../eca/eca-rig.js';
import { dialect } from '../gemini-rig.js';

const [project, user, system] = ['/srv/app/.gemini/settings.json', '/home/me/.gemini/settings.json', '/etc/gemini-cli/settings.json'];

test('the project comes first, then the user, then the system', () => {
  expect(dialect.locations(machine())).toEqual([
    { source: 'project', file: project },
    { source: 'user', file: user },
    { source: 'system', file: system },
  ]);
});

test('GEMINI_CLI_HOME moves the home, if it is absolute', () => {
  const userOf = (GEMINI_CLI_HOME: string) => dialect.locations(machine({}, { environment: { GEMINI_CLI_HOME } }))[1]?.file;
  expect(['/other', '/other/', '', 'other'].map(userOf)).toEqual([
    '/other/.gemini/settings.json',
    '/other/.gemini/settings.json',
    user,
    user,
  ]);
});

test.each([
  ['linux', system],
  ['darwin', '/Library/Application Support/GeminiCli/settings.json'],
  ['win32', 'C:\\ProgramData\\gemini-cli\\settings.json'],
])('on %s the file of the system is %s', (platform, file) => {
  expect(dialect.locations(machine({}, { platform }))[2]).toEqual({ source: 'system', file });
  expect(dialect.claims?.(file, machine({}, { platform }))).toEqual({});
  expect(geminiCli({ systemFile: '/opt/x.json' }).locations(machine({}, { platform }))[2]?.file).toBe('/opt/x.json');
});

test.each([
  [project, { projectDir: '/srv/app' }],
  ['.gemini/settings.json', { projectDir: '.' }],
  ['C:\\app\\.gemini\\settings.json', { projectDir: 'C:\\app' }],
  ['/home/me/.gemini/extensions/x/hooks/hooks.json', {}],
])('%s is of Gemini CLI by its place: %j', (file, expected) => {
  expect(dialect.claims?.(file, machine())).toEqual(expected);
});

test.each(['/srv/app/settings.json', '/srv/app/hooks/hooks.json', '/srv/x.gemini/settings.json', '/srv/app/.gemini/other.json', ''])(
  '%j is another user’s, or unrelated',
  (file) => expect(dialect.claims?.(file, machine())).toBeUndefined(),
);

test('files that their author may take for settings are reported', () => {
  const found = (files: readonly string[], more = {}) =>
    dialect
      .lookalikes?.(machine(Object.fromEntries(files.map((file) => [file, '{}'])), more))
      .map(({ file, insteadOf }) => [file, insteadOf]);
  expect(found([project, user])).toEqual([]);
  expect(found(['/srv/app/.gemini/hooks.json', '/home/me/.gemini/settings.local.json'])).toEqual([
    ['/srv/app/.gemini/hooks.json', project],
    ['/home/me/.gemini/settings.local.json', user],
  ]);
  expect(found(['/srv/.gemini/settings.json'])).toEqual([['/srv/.gemini/settings.json', project]]);
  expect(found(['/other/.gemini/hooks.json'], { environment: { GEMINI_CLI_HOME: '/other' } })).toEqual([
    ['/other/.gemini/hooks.json', '/other/.gemini/settings.json'],
  ]);
});

test('in an extension the hooks have a file of their own, and the manifest tells whose it is', () => {
  expect(dialect.extensionFiles?.('/x')).toEqual(['/x/hooks/hooks.json', '/x/gemini-extension.json']);
  expect(dialect.extensionSource).toBeUndefined();
});

test('settings that have the switch of LLxprt Code are not its own', () => {
  const hooks = { BeforeTool: [], PreToolUse: [], HostStart: [] };
  expect(dialect.eventsIn?.({ hooks })).toEqual(['BeforeTool']);
  expect(dialect.eventsIn?.({ hooks, tools: { enableHooks: true } })).toEqual([]);
  expect(dialect.eventsIn?.({ hooks, tools: { core: [] } })).toEqual(['BeforeTool']);
  for (const other of [null, 7, [], {}, { hooks: [] }]) expect(dialect.eventsIn?.(other)).toEqual([]);
});
