import type { Dialect, DialectContext } from '@tenterhook/protocol';
import { dialectContext } from '../../../src/settings/discover/dialect-context.js';
import { checkHome, getLocations } from '../../../src/settings/discover/locations.js';
import { fakeDialect } from '../settings-rig.js';

const context: DialectContext = { ...dialectContext('/srv/app'), home: '', environment: {} };
const project = { source: 'project', file: '/srv/app/.north/hooks.json' };

/** A dialect whose settings are in the home directory, unless a variable names another folder. */
const byVariable: Dialect = fakeDialect(
  'north',
  {},
  {
    locations: ({ home, environment }) => [
      project,
      { source: 'user', file: `${environment['XDG_CONFIG_HOME'] ?? `${home}/.config`}/north.json` },
    ],
  },
);
const inHome = fakeDialect('south', {}, { locations: ({ home }) => [{ source: 'user', file: `${home}/.south.json` }] });

test('with a home directory every place counts', () => {
  expect(getLocations(byVariable, { ...context, home: '/home/me' })).toEqual([
    project,
    { source: 'user', file: '/home/me/.config/north.json' },
  ]);
  expect(checkHome([byVariable, inHome], { ...context, home: '/home/me' })).toEqual([]);
});

test('without one, what would lie in it does not count: made of an empty path it would lie at the root of the disk', () => {
  expect(getLocations(byVariable, context)).toEqual([project]);
  expect(getLocations(inHome, context)).toEqual([]);
  expect(checkHome([byVariable, inHome], context)).toMatchObject([
    { code: 'no_home', severity: 'note', message: 'There is no home directory, so user settings are not read.' },
  ]);
});

test("without one, a place of the user's that the environment names counts nevertheless, and the note is about the others", () => {
  const named = { ...context, environment: { XDG_CONFIG_HOME: '/etc/me' } };
  expect(getLocations(byVariable, named)).toEqual([project, { source: 'user', file: '/etc/me/north.json' }]);
  expect(checkHome([byVariable, inHome], named)).toMatchObject([
    { message: 'There is no home directory, so user settings are not read for south.' },
  ]);
  expect(checkHome([byVariable], named)).toEqual([]);
});
