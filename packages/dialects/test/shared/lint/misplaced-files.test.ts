import type { DialectContext } from '@tenterhook/protocol';
import { settingsAbove } from '../../../src/parts.js';

const name = '.invented/hooks.json';

function above(files: readonly string[], places: Partial<DialectContext> = {}) {
  const context: DialectContext = {
    projectDir: '/home/me/mono/packages/app',
    home: '/home/me',
    environment: {},
    platform: 'linux',
    files: { isFile: (path) => files.includes(path), isExecutable: () => false, head: () => undefined },
    ...places,
  };
  const project = { source: 'project', file: `${context.projectDir}/${name}` };
  return settingsAbove(context, name, project, { source: 'user', file: `/home/me/${name}` });
}

test('where nothing lies there is nothing', () => {
  expect(above([])).toEqual([]);
});

test('the nearest folder above counts, and its remedy names it', () => {
  expect(above([`/home/me/mono/${name}`, `/home/me/mono/packages/${name}`])).toEqual([
    {
      file: `/home/me/mono/packages/${name}`,
      source: 'project',
      insteadOf: `/home/me/mono/packages/app/${name}`,
      remedy:
        'The file belongs to the project "/home/me/mono/packages". Pass that folder as the project directory (--cwd at the command line, projectDir in the agent), or write the hooks into the file of this project.',
    },
  ]);
  expect(above([`/home/me/mono/${name}`])).toMatchObject([{ file: `/home/me/mono/${name}` }]);
});

const none: Record<string, [string[], Partial<DialectContext>?]> = {
  'a project that has settings of its own': [[`/home/me/mono/packages/app/${name}`, `/home/me/mono/${name}`]],
  'the home directory': [[`/home/me/${name}`]],
  'a folder above the home directory': [[`/home/${name}`]],
  "the user's own, where they lie above": [[`/home/me/${name}`], { home: '/root' }],
};

test.each(Object.entries(none))('%s is not one of them', (_, [files, places]) => {
  expect(above(files, places)).toEqual([]);
});

test("above the user's own the walk goes on, where that is not home", () => {
  expect(above([`/home/me/${name}`, `/home/${name}`], { home: '/root' })).toMatchObject([{ file: `/home/${name}` }]);
});

test('without a home directory the walk ends at the root', () => {
  expect(above([`/home/${name}`], { home: '' })).toMatchObject([{ file: `/home/${name}` }]);
  expect(above([], { home: '' })).toEqual([]);
});
