import { claimedByPlace } from '../../../src/shared/settings/claimed-by-place.js';

test.each([
  ['/srv/app/.x/settings.json', { projectDir: '/srv/app' }],
  ['.x/settings.json', { projectDir: '.' }],
  ['/.x/settings.json', { projectDir: '/' }],
  ['C:\\app\\.x\\settings.json', { projectDir: 'C:\\app' }],
  ['/srv/app.x/settings.json', undefined],
  ['/srv/.x/settings.json/more', undefined],
  ['', undefined],
])('%j: %j', (file, expected) => expect(claimedByPlace(file, '.x/settings.json')).toEqual(expected));
