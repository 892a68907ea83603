import type { DialectContext } from '@tenterhook/protocol';
import { llxprt } from '../../src/index.js';

/** Returns the lookalikes in a project with a few files. `files` has their texts by path. */
function lookalikesAmong(files: Record<string, string>, places: { projectDir?: string; home?: string } = {}) {
  const context: DialectContext = {
    projectDir: '/srv/mono/app',
    home: '/home/me',
    environment: {},
    platform: 'linux',
    files: {
      isFile: (path) => Object.hasOwn(files, path),
      isExecutable: () => false,
      head: (path, bytes) => files[path]?.slice(0, bytes),
    },
    ...places,
  };
  return llxprt().lookalikes?.(context) ?? [];
}

const project = { source: 'project', insteadOf: '/srv/mono/app/.llxprt/settings.json' };
const user = { source: 'user', insteadOf: '/home/me/.llxprt/settings.json' };

test('where only the files lie that are read, nothing is like them', () => {
  expect(lookalikesAmong({})).toEqual([]);
  expect(lookalikesAmong({ [project.insteadOf]: '{}', [user.insteadOf]: '{}', '/etc/llxprt-code/settings.json': '{}' })).toEqual([]);
});

test.each(['hooks.json', 'hooks/hooks.json', 'settings.jsonc', 'settings.local.json', 'setting.json'])(
  '.llxprt/%s is not one of them, in the project and at home',
  (name) => {
    const files = { [`/srv/mono/app/.llxprt/${name}`]: '{}', [`/home/me/.llxprt/${name}`]: '{}', [project.insteadOf]: '{}' };
    expect(lookalikesAmong(files)).toEqual([
      { file: `/srv/mono/app/.llxprt/${name}`, ...project },
      { file: `/home/me/.llxprt/${name}`, ...user },
    ]);
  },
);

test('settings.json and hooks.json beside the folder count only when they contain hooks: other programs have files of that name', () => {
  const [a, b] = ['/srv/mono/app/settings.json', '/srv/mono/app/hooks.json'];
  expect(lookalikesAmong({ [a]: '{ "hooks": {} }', [b]: '{"hooks":{}}' })).toEqual([
    { file: a, ...project },
    { file: b, ...project },
  ]);
  expect(lookalikesAmong({ [a]: '{ "theme": "dark" }', [b]: '[]' })).toEqual([]);
});

test('the settings of the nearest folder above are another project, unless this one has its own', () => {
  const above = '/srv/mono/.llxprt/settings.json';
  const found = { file: above, ...project, remedy: expect.stringContaining('"/srv/mono"') };
  expect(lookalikesAmong({ [above]: '{}' })).toEqual([found]);
  expect(lookalikesAmong({ [above]: '{}', '/srv/.llxprt/settings.json': '{}' })).toEqual([found]);
  expect(lookalikesAmong({ [above]: '{}', [project.insteadOf]: '{}' })).toEqual([]);
});

test("the user's own settings above a project are read, and no lookalike", () => {
  const places = { projectDir: '/home/me/app' };
  expect(lookalikesAmong({ [user.insteadOf]: '{}' }, places)).toEqual([]);
  expect(lookalikesAmong({ [user.insteadOf]: '{}', '/home/.llxprt/settings.json': '{}' }, places)).toEqual([]);
});

test('in the home directory, which is project and home in one, a file is reported once', () => {
  const file = '/home/me/.llxprt/hooks.json';
  expect(lookalikesAmong({ [file]: '{}' }, { projectDir: '/home/me' })).toMatchObject([{ file, source: 'project' }]);
});

test.each(['/', 'C:\\', 'C:\\srv\\app', '//host/share'])('the walk up from %s ends', (projectDir) => {
  expect(lookalikesAmong({}, { projectDir })).toEqual([]);
});

test('folders of Windows are walked up too', () => {
  const above = 'C:\\srv/.llxprt/settings.json';
  expect(lookalikesAmong({ [above]: '{}' }, { projectDir: 'C:\\srv\\app' })).toMatchObject([{ file: above }]);
});
