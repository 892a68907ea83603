import { containDialect } from '@tenterhook/engine/internal';
import { dialectContext } from '../../src/settings/discover/dialect-context.js';
import { type LoadedSettings, loadSettings, type SettingsRequest } from '../../src/settings/load-settings.js';
import { type Directory, fakeDialect, north, south, withFiles } from './settings-rig.js';

function load({ path }: Directory, request: Partial<SettingsRequest> = {}): Promise<LoadedSettings> {
  return loadSettings({ dialects: [north, south], context: dialectContext(path), extensions: [], lastGood: new Map(), ...request });
}

function idsOf({ hooks }: LoadedSettings): string[] {
  return hooks.map((hook) => hook.id);
}

function codesOf({ diagnostics }: LoadedSettings): string[] {
  return diagnostics.map((diagnostic) => diagnostic.code);
}

const placed = { '.south/hooks.json': { hooks: { Set: ['s'] } }, '.north/hooks.json': { hooks: { Rise: ['n'] } } };

test('discovery looks at the places of each dialect, in the order of the dialects', async () => {
  await withFiles(placed, async (directory) => {
    const loaded = await load(directory);
    expect(idsOf(loaded)).toEqual(['north/project/Rise/n', 'south/project/Set/s']);
    expect(loaded.files).toEqual([
      { file: directory.at('.north/hooks.json'), source: 'project', dialect: 'north', state: 'read' },
      { file: directory.at('.south/hooks.json'), source: 'project', dialect: 'south', state: 'read' },
    ]);
    expect(idsOf(await load(directory, { dialects: [south, north] }))).toEqual(['south/project/Set/s', 'north/project/Rise/n']);
  });
});

test('discovery tells read, missing and broken files apart, and only the broken one is a diagnostic', async () => {
  const east = fakeDialect('east', {});
  await withFiles({ '.south/hooks.json': '{', '.east/hooks.json': { hooks: {} } }, async (directory) => {
    const loaded = await load(directory, { dialects: [north, south, east] });
    expect(loaded.files.map((file) => [file.dialect, file.state])).toEqual([
      ['north', 'missing'],
      ['south', 'broken'],
      ['east', 'read'],
    ]);
    expect(loaded.diagnostics).toMatchObject([{ code: 'invalid_json', file: directory.at('.south/hooks.json'), dialect: 'south' }]);
  });
});

test('with discovery, `dialect` looks at the files of this one only', async () => {
  await withFiles(placed, async (directory) => {
    const loaded = await load(directory, { dialect: 'south' });
    expect(idsOf(loaded)).toEqual(['south/project/Set/s']);
    expect(loaded.files).toHaveLength(1);
  });
});

test('given settings are used instead of what would be discovered', async () => {
  await withFiles(placed, async (directory) => {
    const loaded = await load(directory, { given: [{ hooks: { Rise: ['given'] } }] });
    expect(idsOf(loaded)).toEqual(['north/settings/Rise/given']);
    expect(loaded.files).toEqual([]);
    expect(idsOf(await load(directory, { given: [] }))).toEqual([]);
  });
});

test('a given file is `settings` when it is alone, and numbered among others, objects included', async () => {
  await withFiles({ 'a.json': { hooks: { Rise: ['a'] } }, 'b.json': { hooks: { Rise: ['b'] } } }, async (directory) => {
    const [a, b] = [directory.at('a.json'), directory.at('b.json')];
    expect(idsOf(await load(directory, { given: [a] }))).toEqual(['north/settings/Rise/a']);
    const loaded = await load(directory, { given: [a, { hooks: { Rise: ['object'] } }, b] });
    expect(idsOf(loaded)).toEqual(['north/settings:1/Rise/a', 'north/settings:2/Rise/object', 'north/settings:3/Rise/b']);
    expect(loaded.files).toMatchObject([
      { file: a, source: 'settings:1', state: 'read' },
      { file: b, source: 'settings:3', state: 'read' },
    ]);
  });
});

test('each given document is recognised by itself, and `dialect` names the format of all of them', async () => {
  const given = [{ hooks: { Set: ['s'] } }, { hooks: { Rise: ['n'] } }, { hooks: { Tool: ['t'] } }];
  await withFiles({}, async (directory) => {
    const recognised = await load(directory, { given });
    expect(idsOf(recognised)).toEqual(['north/settings:2/Rise/n', 'north/settings:3/Tool/t', 'south/settings:1/Set/s']);
    expect(recognised.diagnostics).toMatchObject([{ code: 'ambiguous_dialect', source: 'settings:3', dialect: 'north' }]);
    const named = await load(directory, { given, dialect: 'south' });
    expect(idsOf(named)).toEqual(['south/settings:1/Set/s', 'south/settings:3/Tool/t']);
    expect(named.diagnostics).toMatchObject([{ code: 'foreign_format', source: 'settings:2', dialect: 'south' }]);
  });
});

test('a given file that is not there is broken, with a diagnostic, and the others are read', async () => {
  await withFiles({ 'a.json': { hooks: { Rise: ['a'] } } }, async (directory) => {
    const loaded = await load(directory, { given: [directory.at('none.json'), directory.at('a.json')] });
    expect(loaded.files.map((file) => file.state)).toEqual(['broken', 'read']);
    expect(loaded.diagnostics).toMatchObject([{ code: 'unreadable_file', file: directory.at('none.json'), source: 'settings:1' }]);
    expect(idsOf(loaded)).toEqual(['north/settings:2/Rise/a']);
  });
});

test('extensions come after files, each with its own source, and inactive ones not at all', async () => {
  const extensions = [
    { name: 'one', hooks: { Rise: ['x'] } },
    { name: 'off', hooks: { Rise: ['y'] }, active: false },
    { name: 'two', hooks: { Rise: ['z'] }, active: true },
  ];
  await withFiles(placed, async (directory) => {
    expect(idsOf(await load(directory, { extensions }))).toEqual([
      'north/project/Rise/n',
      'north/extension:one/Rise/x',
      'north/extension:two/Rise/z',
      'south/project/Set/s',
    ]);
  });
});

test.each(['parse', 'combine'])('a dialect whose %s throws loses its own hooks, and is reported', async (method) => {
  const bad = fakeDialect(
    'south',
    { Set: 'SessionEnd' },
    {
      [method]: () => {
        throw new Error('cannot count to three');
      },
    },
  );
  await withFiles(placed, async (directory) => {
    const loaded = await load(directory, { dialects: [bad, north] });
    expect(idsOf(loaded)).toEqual(['north/project/Rise/n']);
    expect(loaded.diagnostics).toMatchObject([
      { code: 'dialect_failed', severity: 'error', dialect: 'south', message: expect.stringContaining('cannot count to three') },
    ]);
  });
});

test('a dialect whose parse throws for one document keeps the hooks of its others', async () => {
  const picky = fakeDialect(
    'picky',
    { Rise: 'SessionStart' },
    {
      parse: (document, context) => {
        if (document.source === 'settings:1') throw 'not this one';
        return { ...north.parse(document, context), source: document.source };
      },
    },
  );
  await withFiles({ 'a.json': {} }, async (directory) => {
    const loaded = await load(directory, { dialects: [picky], given: [directory.at('a.json'), { hooks: { Rise: ['x'] } }] });
    expect(idsOf(loaded)).toEqual(['north/settings:2/Rise/x']);
    expect(loaded.diagnostics).toMatchObject([{ code: 'dialect_failed', source: 'settings:1', file: directory.at('a.json') }]);
    expect(loaded.diagnostics[0]?.message).toContain('not this one');
  });
});

test('what combine switches off is not among the hooks', async () => {
  const strict = fakeDialect(
    'strict',
    { Rise: 'SessionStart' },
    {
      combine: (parsed) => ({
        hooks: [],
        off: parsed.flatMap(({ hooks }) => hooks.map((hook) => ({ hook, reason: 'because' }))),
        diagnostics: [{ code: 'foreign_disable', severity: 'warning', message: 'x' }],
      }),
    },
  );
  await withFiles({}, async (directory) => {
    const loaded = await load(directory, { dialects: [strict], given: [{ hooks: { Rise: ['a'] } }] });
    expect([idsOf(loaded), codesOf(loaded)]).toEqual([[], ['foreign_disable']]);
    expect(loaded.off).toMatchObject([{ hook: { id: 'strict/settings/Rise/a' }, reason: 'because' }]);
  });
});

test('a file that only looks like a settings file is reported with its file, with discovery only', async () => {
  const lookalikes = () => [
    { file: '/srv/a.json', source: 'project', insteadOf: '/srv/b.json' },
    { file: '/srv/c.json', source: 'user', insteadOf: '/srv/d.json', remedy: 'Look again.' },
  ];
  const east = fakeDialect('east', {}, { lookalikes });
  await withFiles({}, async (directory) => {
    const found = await load(directory, { dialects: [east] });
    expect(found.diagnostics).toEqual([
      {
        code: 'unread_file',
        severity: 'warning',
        message: 'This file is not read; the settings of this level are read from /srv/b.json.',
        remedy: 'Move the hooks there.',
        file: '/srv/a.json',
        dialect: 'east',
        source: 'project',
      },
      expect.objectContaining({ file: '/srv/c.json', remedy: 'Look again.' }),
    ]);
    expect(codesOf(await load(directory, { dialects: [east], given: [{ hooks: {} }] }))).toEqual([]);
  });
});

test('a dialect that cannot look for them says nothing, and its hooks run', async () => {
  const lookalikes = () => {
    throw new Error('no such folder');
  };
  await withFiles(placed, async (directory) => {
    const loaded = await load(directory, { dialects: [containDialect({ ...north, lookalikes })] });
    expect([idsOf(loaded), codesOf(loaded)]).toEqual([['north/project/Rise/n'], []]);
  });
});

const folders = fakeDialect(
  'folders',
  { Rise: 'BeforeTool' },
  {
    locations: ({ projectDir }) => [
      { source: 'project', file: `${projectDir}/.folders/hooks/hooks.json`, folder: `${projectDir}/.folders/hooks` },
    ],
  },
);

test('every settings file in a folder is read, in the order of the names', async () => {
  const hooks = (name: string) => ({ hooks: { Rise: [name] } });
  const files = {
    'b.json': hooks('b'),
    'a.json': hooks('a'),
    'c.json': '{',
    'README.md': 'none',
    '.d.json': hooks('d'),
    'e.jsonc': hooks('e'),
  };
  const placed = Object.fromEntries(Object.entries(files).map(([name, content]) => [`.folders/hooks/${name}`, content]));
  await withFiles(placed, async (directory) => {
    const loaded = await load(directory, { dialects: [folders] });
    expect(idsOf(loaded)).toEqual(['folders/project/Rise/a', 'folders/project/Rise/b']);
    expect(loaded.files.map(({ file, state }) => [file.slice(directory.path.length), state])).toEqual([
      ['/.folders/hooks/a.json', 'read'],
      ['/.folders/hooks/b.json', 'read'],
      ['/.folders/hooks/c.json', 'broken'],
    ]);
    expect([...loaded.stamps.keys()]).toContain(directory.at('.folders/hooks'));
  });
});

test.each([
  ['a missing folder', {}],
  ['an empty folder', { '.folders/hooks/README.md': 'none' }],
])('%s has the file for new hooks, which is missing, and is watched', async (_, files) => {
  await withFiles(files, async (directory) => {
    const loaded = await load(directory, { dialects: [folders] });
    const file = directory.at('.folders/hooks/hooks.json');
    expect([codesOf(loaded), loaded.files]).toEqual([[], [{ file, source: 'project', dialect: 'folders', state: 'missing' }]]);
    expect([...loaded.stamps.keys()]).toEqual([directory.at('.folders/hooks'), file]);
  });
});

test('a folder with too many files has an error, and the first files are read', async () => {
  const files = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`.folders/hooks/${1000 + index}.json`, { hooks: {} }]));
  await withFiles(files, async (directory) => {
    const loaded = await load(directory, { dialects: [folders] });
    expect(loaded.files).toHaveLength(100);
    expect(loaded.diagnostics).toMatchObject([
      { code: 'unreadable_file', severity: 'error', dialect: 'folders', file: directory.at('.folders/hooks'), source: 'project' },
    ]);
  });
});

test('a file in place of the folder is an error', async () => {
  await withFiles({ '.folders/hooks': 'none' }, async (directory) => {
    const loaded = await load(directory, { dialects: [folders] });
    expect([codesOf(loaded), loaded.files.map(({ state }) => state)]).toEqual([['unreadable_file'], ['broken']]);
  });
});
