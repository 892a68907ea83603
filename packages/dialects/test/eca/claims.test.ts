import { eca } from '../../src/index.js';
import { machine } from './eca-rig.js';

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
])('%j is somebody’s whose folder is called eca, or nobody’s', (file) => {
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
