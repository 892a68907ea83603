import { chmodSync } from 'node:fs';
import { dialectContext, homeDirectory } from '../../../src/settings/discover/dialect-context.js';
import { loadSettings } from '../../../src/settings/load-settings.js';
import { fakeDialect, withFiles } from '../settings-rig.js';

test('a dialect can look at files, and what is not there is no error', async () => {
  await withFiles({ 'bin/hook.sh': '#!/bin/sh\n', 'plain.txt': 'Grüße' }, async ({ path, at }) => {
    chmodSync(at('bin/hook.sh'), 0o755);
    const { files, projectDir } = dialectContext(path);
    expect(projectDir).toBe(path);
    const names = ['bin/hook.sh', 'plain.txt', 'bin', 'none'];
    expect(names.map((name) => files.isFile(at(name)))).toEqual([true, true, false, false]);
    expect(names.map((name) => files.isExecutable(at(name)))).toEqual([true, false, false, false]);
    expect(names.map((name) => files.head(at(name), 2))).toEqual(['#!', 'Gr', undefined, undefined]);
    expect(files.head(at('plain.txt'), 1000)).toBe('Grüße');
  });
});

const none = () => {
  throw Object.assign(new Error('no entry'), { code: 'ERR_SYSTEM_ERROR' });
};

const homes: Record<string, [finders: (() => string)[], home: string]> = {
  'the first that is one': [[() => '/home/a', none], '/home/a'],
  'an empty HOME does not count: the entry of the user counts': [[() => '', () => '/home/b'], '/home/b'],
  'a relative HOME does not count': [[() => 'somewhere', () => '/home/b'], '/home/b'],
  'neither HOME nor an entry': [[none, none], ''],
  'an empty HOME and no entry': [[() => '', none], ''],
};

test.each(Object.entries(homes))('%s', (_, [finders, home]) => {
  expect(homeDirectory(finders)).toBe(home);
});

test('without a home there is no level of the user, with one note', async () => {
  const places = (folder: string) => ({ source: 'user', file: `${folder}/.north/hooks.json` });
  const north = fakeDialect(
    'north',
    {},
    {
      locations: ({ projectDir, home }) => [{ source: 'project', file: `${projectDir}/x.json` }, places(home)],
      lookalikes: ({ home }) => [{ ...places(home), insteadOf: 'y' }],
    },
  );
  await withFiles({}, async ({ path }) => {
    const context = { ...dialectContext(path), home: '' };
    const loaded = await loadSettings({ dialects: [north, { ...north, name: 'west' }], context, extensions: [], lastGood: new Map() });
    expect(loaded.files.map((file) => file.source)).toEqual(['project', 'project']);
    expect(loaded.diagnostics).toMatchObject([{ code: 'no_home', severity: 'note', remedy: expect.stringContaining('HOME') }]);
    const given = await loadSettings({ dialects: [north], context, given: [], extensions: [], lastGood: new Map() });
    expect(given.diagnostics).toEqual([]);
  });
});
