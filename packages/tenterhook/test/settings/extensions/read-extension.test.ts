import { realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { claudeCode, defaultDialects } from '@tenterhook/dialects';
import { containDialect } from '@tenterhook/engine/internal';
import type { Dialect, SettingsDocument } from '@tenterhook/protocol';
import { dialectContext } from '../../../src/settings/discover/dialect-context.js';
import type { Extension } from '../../../src/settings/extensions/extension.js';
import { type LoadedSettings, loadSettings, type SettingsRequest } from '../../../src/settings/load-settings.js';
import { SettingsSource } from '../../../src/settings/settings-source.js';
import { type Directory, fakeDialect, withFiles } from '../settings-rig.js';

/** Two formats with a common hooks file and a common event, but different manifests. */
const events = { Tool: 'BeforeTool' as const };
const north = fakeDialect(
  'north',
  { ...events, Rise: 'SessionStart' },
  { extensionFiles: (at) => [join(at, 'hooks.json'), join(at, 'north.json')] },
);
const south = fakeDialect(
  'south',
  { ...events, Set: 'SessionEnd' },
  { extensionSource: 'plugin', extensionFiles: (at) => [join(at, 'hooks.json'), join(at, 'south.json')] },
);
const dialects: readonly Dialect[] = [north, south];
const group = [{ hooks: [{ type: 'command', command: 'true' }] }];

function load({ path }: Directory, extension: Partial<Extension> = {}, request: Partial<SettingsRequest> = {}): Promise<LoadedSettings> {
  const extensions = [{ name: 'x', directory: path, ...extension }];
  return loadSettings({ dialects, context: dialectContext('/srv/app'), given: [], extensions, lastGood: new Map(), ...request });
}

const idsOf = ({ hooks }: LoadedSettings) => hooks.map(({ id }) => id);
const codesOf = ({ diagnostics }: LoadedSettings) => diagnostics.map(({ code }) => code);
const filesOf = ({ files }: LoadedSettings) => files.map(({ file, source, dialect, state }) => [file, source, dialect, state]);

test('hooks are read from a file in the directory, which is listed with its source and dialect', async () => {
  await withFiles({ 'hooks.json': { hooks: { Set: ['s'] } } }, async (directory) => {
    const loaded = await load(directory);
    expect([idsOf(loaded), codesOf(loaded)]).toEqual([['south/plugin:x/Set/s'], []]);
    expect(filesOf(loaded)).toEqual([[directory.at('hooks.json'), 'plugin:x', 'south', 'read']]);
  });
});

test('its dialect receives the file, the directory and what the host says of it', async () => {
  const parse = jest.fn<Dialect['parse']>(() => ({ hooks: [], diagnostics: [] }));
  await withFiles({ 'hooks.json': '{\n  "hooks": {} }' }, async (directory) => {
    await load(directory, { frontMatterOf: 'skill' }, { dialects: [{ ...south, parse }] });
    const document = parse.mock.calls[0]?.[0] as SettingsDocument;
    expect(document).toMatchObject({
      source: 'plugin:x',
      file: directory.at('hooks.json'),
      directory: directory.path,
      frontMatterOf: 'skill',
    });
    expect(document.locate(['hooks'])).toEqual({ line: 2, column: 12 });
  });
});

test('what the host does not say of an extension is not made up', async () => {
  const parse = jest.fn<Dialect['parse']>(() => ({ hooks: [], diagnostics: [] }));
  await withFiles({}, async (directory) => {
    await load(directory, { hooks: {} }, { dialects: [{ ...south, parse }] });
    const [first] = parse.mock.calls;
    expect(Object.keys(first?.[0] as SettingsDocument)).not.toContain('frontMatterOf');
  });
});

const formats: Record<
  string,
  [files: Record<string, unknown>, extension: Partial<Extension>, dialect: string | undefined, ids: string[], codes: string[]]
> = {
  'by its events': [{ 'hooks.json': { hooks: { Rise: ['r'] } } }, {}, undefined, ['north/extension:x/Rise/r'], []],
  'by its own dialect, whatever else could be': [
    { 'hooks.json': { hooks: { Tool: ['t'] } }, 'north.json': {} },
    { dialect: 'south' },
    'north',
    ['south/plugin:x/Tool/t'],
    [],
  ],
  'by a file that only one format has': [
    { 'hooks.json': { hooks: { Tool: ['t'] } }, 'south.json': { version: '1' } },
    {},
    undefined,
    ['south/plugin:x/Tool/t'],
    [],
  ],
  'by such a file, also where its hooks look like another format’s': [
    { 'hooks.json': { hooks: { Rise: ['r'] } }, 'south.json': {} },
    {},
    undefined,
    [],
    ['foreign_format'],
  ],
  'by its events again, where files of two formats lie there': [
    { 'hooks.json': { hooks: { Rise: ['r'] } }, 'north.json': {}, 'south.json': {} },
    {},
    undefined,
    ['north/extension:x/Rise/r'],
    [],
  ],
  'by that of the settings, where it holds something of it': [
    { 'hooks.json': { hooks: { Tool: ['t'] } } },
    {},
    'south',
    ['south/plugin:x/Tool/t'],
    [],
  ],
  'not by that of the settings, where it is plainly another’s': [
    { 'hooks.json': { hooks: { Rise: ['r'] } } },
    {},
    'south',
    ['north/extension:x/Rise/r'],
    [],
  ],
  'as the first that it could be, with a note': [
    { 'hooks.json': { hooks: { Tool: ['t'] } } },
    {},
    undefined,
    ['north/extension:x/Tool/t'],
    ['ambiguous_dialect'],
  ],
  'by where its hooks stand, in a file that no other format has': [
    { 'south.json': { hooks: { Tool: ['t'] } } },
    {},
    undefined,
    ['south/plugin:x/Tool/t'],
    [],
  ],
  'by the directory, where its hooks are given': [
    { 'south.json': {} },
    { hooks: { Tool: ['t'] } },
    undefined,
    ['south/plugin:x/Tool/t'],
    [],
  ],
  'by its hooks, where they are given and plainly another’s than the directory': [
    { 'south.json': {} },
    { hooks: { Rise: ['r'] } },
    undefined,
    ['north/extension:x/Rise/r'],
    [],
  ],
};

test.each(Object.entries(formats))('the format of an extension is determined %s', async (_, [files, extension, dialect, ids, codes]) => {
  await withFiles(files, async (directory) => {
    const loaded = await load(directory, extension, dialect === undefined ? {} : { dialect });
    expect([idsOf(loaded), codesOf(loaded)]).toEqual([ids, codes]);
  });
});

test('a note about the format names the source that the hooks got', async () => {
  await withFiles({ 'hooks.json': { hooks: { Tool: ['t'] } } }, async (directory) => {
    const { diagnostics } = await load(directory, {}, { dialects: [south, north] });
    expect(diagnostics).toMatchObject([
      { code: 'ambiguous_dialect', dialect: 'south', source: 'plugin:x', file: directory.at('hooks.json') },
    ]);
  });
});

test('the hooks of all its files count, in the order of the files', async () => {
  const manifest = { name: 'x', hooks: { Set: ['of-manifest'] } };
  await withFiles({ 'south.json': manifest }, async (directory) => {
    const loaded = await load(directory);
    expect(idsOf(loaded)).toEqual(['south/plugin:x/Set/of-manifest']);
    expect(filesOf(loaded)).toEqual([
      [directory.at('hooks.json'), 'plugin:x', 'south', 'missing'],
      [directory.at('south.json'), 'plugin:x', 'south', 'read'],
    ]);
    directory.write('hooks.json', { hooks: { Set: ['of-file'] } });
    expect(idsOf(await load(directory))).toEqual(['south/plugin:x/Set/of-file', 'south/plugin:x/Set/of-manifest']);
    directory.write('hooks.json', { description: 'nothing of hooks' });
    expect(idsOf(await load(directory))).toEqual(['south/plugin:x/Set/of-manifest']);
  });
});

test('a manifest may name the file that holds the hooks', async () => {
  const files = { 'south.json': { hooks: './own/set.json' }, 'own/set.json': { hooks: { Set: ['s'] } } };
  await withFiles(files, async (directory) => {
    const loaded = await load(directory);
    expect([idsOf(loaded), codesOf(loaded)]).toEqual([['south/plugin:x/Set/s'], []]);
    expect(filesOf(loaded).slice(1)).toEqual([
      [directory.at('south.json'), 'plugin:x', 'south', 'read'],
      [directory.at('own/set.json'), 'plugin:x', 'south', 'read'],
    ]);
    expect([...loaded.stamps.keys()]).toContain(directory.at('own/set.json'));
    directory.remove('own/set.json');
    const missing = {
      code: 'unreadable_file',
      severity: 'error',
      message: '"./own/set.json" does not exist; hooks in it do not run.',
      remedy: 'Name a file in the extension that contains { "hooks": { … } }.',
      path: 'hooks',
      line: 1,
      column: 10,
      file: directory.at('south.json'),
      source: 'plugin:x',
      dialect: 'south',
    };
    expect((await load(directory)).diagnostics).toEqual([missing]);
    directory.write('own/set.json', {});
    expect((await load(directory)).diagnostics).toEqual([
      { ...missing, message: '"./own/set.json" has no "hooks"; hooks in it do not run.' },
    ]);
  });
});

test('a manifest may name several files, hold hooks of its own among them, and all count beside those of the fixed place', async () => {
  const files = {
    'hooks.json': { hooks: { Set: ['fixed'] } },
    'south.json': '{\n"hooks": ["./a.json",\n  { "Set": ["inline"] }, "./a.json", "./none.json"] }',
    'a.json': { hooks: { Set: ['a'] } },
  };
  await withFiles(files, async (directory) => {
    const loaded = await load(directory);
    expect(idsOf(loaded)).toEqual(['fixed', 'inline', 'a'].map((name) => `south/plugin:x/Set/${name}`));
    expect(loaded.diagnostics).toMatchObject([
      { code: 'unreadable_file', message: expect.stringContaining('"./none.json" does not exist'), path: 'hooks[3]', line: 3 },
    ]);
    expect(filesOf(loaded).map(([file, , , state]) => [file, state])).toEqual([
      [directory.at('hooks.json'), 'read'],
      [directory.at('south.json'), 'read'],
      [directory.at('a.json'), 'read'],
      [directory.at('none.json'), 'missing'],
    ]);
  });
});

test.each<[string, readonly unknown[]]>([
  ['of names', Array.from({ length: 100_000 }, (_, index) => `${index}`)],
  ['of hooks', Array.from({ length: 26 }, (_, index) => ({ Set: [`a${index}`] }))],
])('a list %s that is too long is an error, and the hooks of other files count', async (_, hooks) => {
  await withFiles({ 'hooks.json': { hooks: { Set: ['fixed'] } }, 'south.json': { hooks } }, async (directory) => {
    const loaded = await load(directory);
    expect(idsOf(loaded)).toEqual(['south/plugin:x/Set/fixed']);
    const message =
      'This file brings the hooks of the extension to more than 25 files or lists, and no more are read; hooks in it do not run.';
    const remedy = 'Put the hooks into fewer files.';
    expect(loaded.diagnostics).toMatchObject([{ code: 'unreadable_file', message, remedy, file: directory.at('south.json') }]);
  });
});

test('an entry of a list has its own lines', async () => {
  const parse = jest.fn<Dialect['parse']>(() => ({ hooks: [], diagnostics: [] }));
  await withFiles({ 'south.json': '{ "version": "1",\n"hooks": [\n{},\n{ "Set": ["s"] }] }' }, async (directory) => {
    await load(directory, {}, { dialects: [{ ...south, parse }] });
    const [, second] = parse.mock.calls.map(([document]) => document);
    expect(second?.value).toEqual({ version: '1', hooks: { Set: ['s'] } });
    expect([second?.locate(['hooks', 'Set']), second?.locate(['version']), second?.locate([])]).toEqual([
      { line: 4, column: 10 },
      { line: 1, column: 14 },
      { line: 1, column: 1 },
    ]);
  });
});

test('no file outside of the directory is read, by its path or through a link', async () => {
  const outside = { 'other/a.json': { hooks: { Set: ['a'] } }, 'other/b.json': { hooks: { Set: ['b'] } } };
  const files = { ...outside, 'x/south.json': { hooks: ['../other/a.json', './b.json'] } };
  await withFiles(files, async (directory) => {
    symlinkSync(directory.at('other/b.json'), directory.at('x/b.json'));
    symlinkSync(directory.at('other/a.json'), directory.at('x/hooks.json'));
    const loaded = await load(directory, { directory: directory.at('x') });
    expect(idsOf(loaded)).toEqual([]);
    const real = realpathSync(directory.at('other'));
    expect(loaded.diagnostics.map(({ severity, message, file }) => [severity, message, file])).toEqual([
      [
        'error',
        `This file leads to ${join(real, 'a.json')}, outside of the extension, and is not read; hooks in it do not run.`,
        directory.at('x/hooks.json'),
      ],
      ['error', '"../other/a.json" is outside of the extension and is not read; hooks in it do not run.', directory.at('x/south.json')],
      [
        'error',
        `"./b.json" leads to ${join(real, 'b.json')}, outside of the extension, and is not read; hooks in it do not run.`,
        directory.at('x/south.json'),
      ],
    ]);
  });
});

test('an extension may itself be a link, and have links within', async () => {
  await withFiles({ 'real/south.json': { hooks: './link.json' }, 'real/set.json': { hooks: { Set: ['s'] } } }, async (directory) => {
    symlinkSync('set.json', directory.at('real/link.json'));
    symlinkSync(directory.at('real'), directory.at('linked'));
    expect(idsOf(await load(directory, { directory: directory.at('linked') }))).toEqual(['south/plugin:x/Set/s']);
  });
});

test('a manifest that breaks does not take down the hooks of the files that it named', async () => {
  const files = { 'south.json': { hooks: ['./a.json', { Set: ['inline'] }] }, 'a.json': { hooks: { Set: ['a'] } } };
  await withFiles(files, async (directory) => {
    const lastGood = new Map();
    const before = idsOf(await load(directory, {}, { lastGood }));
    directory.write('south.json', '{');
    const loaded = await load(directory, {}, { lastGood });
    expect([before, idsOf(loaded)]).toEqual([before, ['south/plugin:x/Set/inline', 'south/plugin:x/Set/a']]);
    expect(loaded.diagnostics).toMatchObject([
      { code: 'invalid_json', message: expect.stringContaining('Its last good state stays in use.'), dialect: 'south' },
    ]);
    expect(loaded.files.map(({ state }) => state)).toEqual(['missing', 'broken', 'read']);
  });
});

test.each<[string, Record<string, unknown>, string]>([
  ['at the top level', { 'hooks/hooks.json': { Stop: group } }, 'hooks/hooks.json'],
  ['in a file that its manifest names', { '.claude-plugin/plugin.json': { hooks: './own.json' }, 'own.json': { Stop: group } }, 'own.json'],
])('events %s are reported with their line and what to write, and are in the list', async (_, files, file) => {
  await withFiles(files, async (directory) => {
    const { diagnostics, hooks } = await load(directory, {}, { dialects: defaultDialects() });
    expect(diagnostics).toMatchObject([
      {
        code: 'misplaced_hooks',
        file: directory.at(file),
        line: 1,
        remedy: 'Move the event: { "hooks": { "Stop": [ … ] } }.',
        source: 'plugin:x',
        dialect: 'claude-code',
      },
    ]);
    expect(hooks).toMatchObject([{ eventName: 'AfterAgent', skip: { skipReason: 'invalid' } }]);
  });
});

test('a file beside the folder in which it is looked for is reported, if it contains hooks', async () => {
  await withFiles({ 'hooks.json': { hooks: { Stop: group } }, 'plugin.json': { name: 'x' } }, async (directory) => {
    const { diagnostics } = await load(directory, {}, { dialects: [claudeCode()] });
    expect(diagnostics).toMatchObject([
      { code: 'unreadable_file', message: expect.stringContaining('has no hooks') },
      {
        code: 'unread_file',
        severity: 'warning',
        message: `This file is not read; the hooks of the extension are read from ${directory.at('hooks/hooks.json')}.`,
        file: directory.at('hooks.json'),
        source: 'plugin:x',
      },
    ]);
  });
});

test('manifests that name each other, or themselves, come to an end', async () => {
  await withFiles({ 'hooks.json': { hooks: 'south.json' }, 'south.json': { hooks: './hooks.json' } }, async (directory) => {
    expect(codesOf(await load(directory))).toEqual(['unreadable_file']);
    directory.write('south.json', { hooks: 'south.json' });
    expect(codesOf(await load(directory))).toEqual(['unreadable_file']);
  });
});

test.each<[string, Record<string, unknown>]>([
  ['it names the first', { 'south.json': { hooks: './hooks.json' } }],
  ['it says nothing of hooks', { 'south.json': { name: 'x' } }],
  ['it is another format’s', { 'north.json': { hooks: { Rise: ['r'] } }, 'south.json': {} }],
])('nothing is said of a second file where %s', async (_, more) => {
  await withFiles({ 'hooks.json': { hooks: { Set: ['one'] } }, ...more }, async (directory) => {
    const loaded = await load(directory);
    expect([idsOf(loaded), codesOf(loaded)]).toEqual([['south/plugin:x/Set/one'], []]);
  });
});

test('an extension without hooks is an error that says where they were looked for', async () => {
  await withFiles({ 'south.json': { name: 'x' } }, async (directory) => {
    const loaded = await load(directory);
    const [hooksFile, manifest] = [directory.at('hooks.json'), directory.at('south.json')];
    expect(loaded.diagnostics).toEqual([
      {
        code: 'unreadable_file',
        severity: 'error',
        message: `The extension "x" has no hooks: ${hooksFile} does not exist, ${manifest} has no "hooks".`,
        remedy: 'Write { "hooks": { … } } to one of these files, or pass the hooks as "hooks" of the extension.',
        source: 'plugin:x',
        dialect: 'south',
      },
    ]);
    directory.remove('south.json');
    const nothing = await load(directory);
    expect(nothing.diagnostics).toMatchObject([{ code: 'unreadable_file', source: 'extension:x' }]);
    expect(nothing.diagnostics[0]).not.toHaveProperty('dialect');
    expect(filesOf(nothing)).toEqual([
      [hooksFile, 'extension:x', undefined, 'missing'],
      [directory.at('north.json'), 'extension:x', 'north', 'missing'],
      [manifest, 'plugin:x', 'south', 'missing'],
    ]);
  });
});

test('a file that is not JSON is broken, and those beside it count', async () => {
  const files = { 'hooks.json': '{', 'south.json': { hooks: { Set: ['s'] } } };
  await withFiles(files, async (directory) => {
    const loaded = await load(directory);
    expect(idsOf(loaded)).toEqual(['south/plugin:x/Set/s']);
    expect(filesOf(loaded)).toEqual([
      [directory.at('hooks.json'), 'plugin:x', 'south', 'broken'],
      [directory.at('south.json'), 'plugin:x', 'south', 'read'],
    ]);
    expect(loaded.diagnostics).toMatchObject([
      { code: 'invalid_json', file: directory.at('hooks.json'), line: 1, source: 'plugin:x', dialect: 'south' },
    ]);
  });
});

test('what is not an object is not passed over as a file without hooks', async () => {
  const parse = jest.fn<Dialect['parse']>(() => ({ hooks: [], diagnostics: [] }));
  await withFiles({ 'hooks.json': [] }, async (directory) => {
    expect(filesOf(await load(directory, {}, { dialects: [{ ...south, parse }] }))).toHaveLength(1);
    expect(parse).toHaveBeenCalled();
  });
});

test('a duplicate key is reported, with its line', async () => {
  await withFiles({ 'hooks.json': '{ "hooks": {},\n  "hooks": { "Set": [] } }' }, async (directory) => {
    expect((await load(directory)).diagnostics).toMatchObject([{ code: 'duplicate_key', line: 2, source: 'plugin:x', dialect: 'south' }]);
  });
});

test('a dialect that cannot tell where an extension has its hooks reads none, and harms no other', async () => {
  const broken: Dialect = {
    ...north,
    extensionFiles: () => {
      throw new Error('no such folder');
    },
  };
  await withFiles({ 'hooks.json': { hooks: { Tool: ['t'] } } }, async (directory) => {
    expect(idsOf(await load(directory, {}, { dialects: [containDialect(broken), south] }))).toEqual(['south/plugin:x/Tool/t']);
  });
});

test('an extension that is not active is not looked for', async () => {
  await withFiles({}, async (directory) => {
    const loaded = await load(directory, { active: false });
    expect([loaded.files, loaded.diagnostics, loaded.stamps.size]).toEqual([[], [], 0]);
  });
});

test('its files are watched, also those that are not there yet; a broken one keeps what it last said', async () => {
  await withFiles({ 'south.json': { hooks: { Set: ['one'] } } }, async (directory) => {
    const extensions = [{ name: 'x', directory: directory.path }];
    const source = new SettingsSource({ dialects, context: dialectContext('/srv/app'), given: [] }, extensions);
    const ids = () => source.hooksFor('SessionEnd').map(({ id }) => id);
    await source.reload();
    expect([...source.stamps.keys()].sort()).toEqual(['hooks.json', 'north.json', 'south.json'].map(directory.at));
    directory.write('south.json', '{');
    await source.reload();
    expect([ids(), source.files.map(({ state }) => state)]).toEqual([['south/plugin:x/Set/one'], ['missing', 'broken']]);
    expect(source.diagnostics).toMatchObject([
      { code: 'invalid_json', message: expect.stringContaining('Its last good state stays in use.') },
    ]);
    directory.write('hooks.json', { hooks: { Set: ['two'] } });
    await source.reload();
    expect(ids()).toEqual(['south/plugin:x/Set/two', 'south/plugin:x/Set/one']);
    directory.remove('hooks.json');
    directory.write('south.json', { version: '2' });
    await source.reload();
    expect([ids(), source.diagnostics.map(({ code }) => code)]).toEqual([[], ['unreadable_file']]);
  });
});
