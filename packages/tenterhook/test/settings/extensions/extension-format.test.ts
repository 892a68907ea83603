import type { SettingsDocument } from '@tenterhook/protocol';
import { createHooks } from '../../../src/create.js';
import { dialectContext } from '../../../src/settings/discover/dialect-context.js';
import type { Extension } from '../../../src/settings/extensions/extension.js';
import { loadSettings } from '../../../src/settings/load-settings.js';
import { fakeDialect, north, south } from '../settings-rig.js';

async function load(extension: Extension, dialect?: string, dialects = [north, south]) {
  const request = { dialects, context: dialectContext('/srv/app'), given: [], lastGood: new Map(), extensions: [extension] };
  const { hooks, diagnostics } = await loadSettings({ ...request, ...(dialect === undefined ? {} : { dialect }) });
  return { ids: hooks.map(({ id }) => id), codes: diagnostics.map(({ code }) => code) };
}

test.each<[string, Partial<Extension>, string | undefined, string[], string[]]>([
  [
    'its own dialect goes before that of the settings',
    { dialect: 'south', hooks: { Tool: ['t'] } },
    'north',
    ['south/extension:x/Tool/t'],
    [],
  ],
  [
    'its own dialect goes before what it could be',
    { dialect: 'south', hooks: { Tool: ['t'] } },
    undefined,
    ['south/extension:x/Tool/t'],
    [],
  ],
  [
    'without one, that of the settings counts where it holds something of it',
    { hooks: { Tool: ['t'] } },
    'south',
    ['south/extension:x/Tool/t'],
    [],
  ],
  ['else it is recognised, whatever the settings are', { hooks: { Rise: ['n'] } }, 'south', ['north/extension:x/Rise/n'], []],
  ['what is in no format is read in that of the settings', { hooks: {} }, 'south', [], []],
  ['it is recognised where no dialect is named', { hooks: { Set: ['s'] } }, undefined, ['south/extension:x/Set/s'], []],
])('the format of an extension: %s', async (_, extension, dialect, ids, codes) => {
  expect(await load({ name: 'x', hooks: {}, ...extension }, dialect)).toEqual({ ids, codes });
});

test('relative paths of an extension start in its directory, which its dialect receives', async () => {
  const documents: SettingsDocument[] = [];
  const east = fakeDialect(
    'east',
    {},
    {
      parse: (document) => {
        documents.push(document);
        return { hooks: [], diagnostics: [] };
      },
    },
  );
  await load({ name: 'x', hooks: {}, directory: '/opt/x' }, undefined, [east]);
  await load({ name: 'x', hooks: {} }, undefined, [east]);
  expect(documents.map(({ directory }) => directory)).toEqual(['/opt/x', undefined]);
  expect(documents[1]).not.toHaveProperty('directory');
});

test('a dialect that is not loaded is a TypeError, at once and at run time', async () => {
  const message = /^createHooks: extensions\[0\] has the dialect "noth", which is not loaded. Loaded dialects: llxprt, .*eca/;
  await expect(createHooks({ settings: {}, extensions: [{ name: 'x', hooks: {}, dialect: 'noth' }] })).rejects.toThrow(message);
  const hooks = await createHooks({ settings: {} });
  await expect(hooks.extensions.add({ name: 'x', hooks: {}, dialect: 'noth' })).rejects.toThrow(TypeError);
  await hooks.extensions.add({ name: 'x', hooks: { BeforeTool: [{ hooks: [{ name: 'a', command: 'true' }] }] }, dialect: 'llxprt' });
  expect(hooks.hooks.BeforeTool.map(({ id }) => id)).toEqual(['llxprt/extension:x/BeforeTool/a']);
  await hooks.dispose();
});
