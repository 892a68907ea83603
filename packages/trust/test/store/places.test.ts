import { placeOfStore } from '../../src/store/places.js';

const linux = { platform: 'linux', home: '/home/ada' } as const;
const windows = { platform: 'win32', home: 'C:\\Users\\Ada' } as const;

test.each([
  ['the home directory', linux, {}, '/home/ada/.local/state/tenterhook/trust'],
  ['XDG_STATE_HOME', linux, { XDG_STATE_HOME: '/var/state' }, '/var/state/tenterhook/trust'],
  ['a relative XDG_STATE_HOME is ignored', linux, { XDG_STATE_HOME: '.state' }, '/home/ada/.local/state/tenterhook/trust'],
  ['an empty XDG_STATE_HOME is ignored', linux, { XDG_STATE_HOME: '' }, '/home/ada/.local/state/tenterhook/trust'],
  ['macOS', { ...linux, platform: 'darwin' } as const, {}, '/home/ada/.local/state/tenterhook/trust'],
  ['no home directory', { ...linux, home: undefined }, {}, undefined],
  ['a relative home directory', { ...linux, home: 'home' }, {}, undefined],
  ['LOCALAPPDATA', windows, { LOCALAPPDATA: 'D:\\Local' }, 'D:\\Local\\tenterhook\\trust'],
  ['Windows without LOCALAPPDATA', windows, {}, 'C:\\Users\\Ada\\AppData\\Local\\tenterhook\\trust'],
  ['a path of the current drive', windows, { LOCALAPPDATA: '\\Local' }, 'C:\\Users\\Ada\\AppData\\Local\\tenterhook\\trust'],
  ['XDG_STATE_HOME on Windows', windows, { XDG_STATE_HOME: 'D:\\state' }, 'C:\\Users\\Ada\\AppData\\Local\\tenterhook\\trust'],
])('the place of the store: %s', (_, where, environment, expected) => {
  expect(placeOfStore({ ...where, environment })).toBe(expected);
});
