import { join } from 'node:path';
import type { Dialect, HookDefinition } from '@tenterhook/protocol';
import { dialectContext } from '../../../src/settings/discover/dialect-context.js';
import { type LoadedSettings, loadSettings, type SettingsRequest } from '../../../src/settings/load-settings.js';
import { type Directory, fakeDialect, north, south, withFiles } from '../settings-rig.js';

const set = { hooks: { Set: ['s'] } };

function load({ path }: Directory, request: Partial<SettingsRequest> = {}): Promise<LoadedSettings> {
  return loadSettings({ dialects: [north, south], context: dialectContext(path), extensions: [], lastGood: new Map(), ...request });
}

const foreign = ({ diagnostics }: LoadedSettings) => diagnostics.filter(({ code }) => code === 'foreign_format');

test('settings at the place of one format that look like those of another are told, with the place of that one', async () => {
  await withFiles({ '.north/hooks.json': set }, async (directory) => {
    const loaded = await load(directory);
    expect(foreign(loaded)).toEqual([
      {
        code: 'foreign_format',
        severity: 'warning',
        message: 'These settings were read as north, and hold no hook of it; they look like those of south.',
        remedy: `Write them to ${directory.at('.south/hooks.json')}, where south's of this level are read.`,
        file: directory.at('.north/hooks.json'),
        dialect: 'north',
        source: 'project',
      },
    ]);
    expect(loaded.files.map(({ dialect, state }) => [dialect, state])).toEqual([
      ['north', 'read'],
      ['south', 'missing'],
    ]);
  });
});

const remedy = 'Name it with dialect: "south" (--dialect south).';

test.each([
  ['an object in the dialect that was named', () => ({ given: [set], dialect: 'north' }), { source: 'settings' }],
  ['a file at the place of another', ({ at }: Directory) => ({ given: [at('.north/hooks.json')] }), { source: 'settings' }],
  ['an extension', () => ({ extensions: [{ name: 'x', hooks: set.hooks, dialect: 'north' }] }), { source: 'extension:x' }],
])('what is given, such as %s, is told how to be named', async (_, request, place) => {
  await withFiles({ '.north/hooks.json': set }, async (directory) => {
    const loaded = await load(directory, { given: [], ...request(directory) });
    expect(foreign(loaded)).toEqual([expect.objectContaining({ dialect: 'north', remedy, ...place })]);
  });
});

const quiet: Record<string, [value: unknown, dialects: readonly Dialect[]]> = {
  'it holds a hook of its own beside one of the other': [{ hooks: { Rise: ['n'], Set: ['s'] } }, [north, south]],
  'it holds what both have': [{ hooks: { Tool: ['t'] } }, [north, south]],
  'it holds a slip that is nobody’s': [{ hooks: { Rize: ['n'] } }, [north, south]],
  'it is empty': [{ hooks: {} }, [north, south]],
  'its format does not say what it speaks': [set, [silent(north), south]],
  'it holds hooks on events that its format reads and does not take for its own': [
    { hooks: { Set: ['s'] } },
    [{ ...fakeDialect('north', { Set: 'SessionEnd' }), eventsIn: () => [] }, south],
  ],
  'the other format reads the same file': [set, [north, fakeDialect('south', { Set: 'SessionEnd' }, { locations: north.locations })]],
};

function silent({ eventsIn: _, ...dialect }: Dialect): Dialect {
  return dialect;
}

test.each(Object.entries(quiet))('nothing is said where %s', async (_, [value, dialects]) => {
  await withFiles({ '.north/hooks.json': value }, async (directory) => {
    expect(foreign(await load(directory, { dialects }))).toEqual([]);
  });
});

test('hooks that would not run are none: what their author meant is told', async () => {
  const skip = { skipReason: 'invalid', reason: 'no such event' } as const;
  const hook = { id: 'north/project/Set/s', action: { kind: 'command', command: 'true' }, skip } as unknown as HookDefinition;
  const dropping: Dialect = { ...north, parse: () => ({ hooks: [hook], diagnostics: [] }) };
  await withFiles({ '.north/hooks.json': set }, async (directory) => {
    expect(foreign(await load(directory, { dialects: [dropping, south] }))).toHaveLength(1);
  });
});

test('several formats that it could be are all named, and the place of the first', async () => {
  const dialects = [north, south, fakeDialect('east', { Set: 'SessionEnd' }), fakeDialect('west', { Set: 'SessionEnd' })];
  await withFiles({ '.north/hooks.json': set }, async (directory) => {
    const [told] = foreign(await load(directory, { dialects }));
    expect(told?.message).toContain('they look like those of south, east or west.');
    expect(told?.remedy).toContain(directory.at('.south/hooks.json'));
  });
});

test('settings of a level that the other format does not have are told where it has some', async () => {
  const local: Dialect['locations'] = ({ projectDir }) => [{ source: 'local', file: join(projectDir, '.north/local.json') }];
  await withFiles({ '.north/local.json': set }, async (directory) => {
    const [told] = foreign(await load(directory, { dialects: [{ ...north, locations: local }, south] }));
    expect(told?.remedy).toBe(`Write them to ${directory.at('.south/hooks.json')}, where south's of the level "project" are read.`);
  });
});

test('of several formats that it could be, the first is named; one whose places cannot be told has none', async () => {
  const fails = () => {
    throw new Error('no such folder');
  };
  const east = fakeDialect('east', { Set: 'SessionEnd' });
  await withFiles({ '.north/hooks.json': set }, async (directory) => {
    const [told] = foreign(await load(directory, { dialects: [north, east, south] }));
    expect(told?.remedy).toContain(join(directory.path, '.east/hooks.json'));
    const given = await load(directory, { dialects: [north, { ...east, locations: fails }], given: [set], dialect: 'north' });
    expect(foreign(given)).toMatchObject([{ remedy: 'Name it with dialect: "east" (--dialect east).' }]);
  });
});

test('hooks of ECA at the place of LLxprt, and the other way round', async () => {
  const { defaultDialects } = await import('@tenterhook/dialects');
  const files = {
    '.llxprt/settings.json': { hooks: { guard: { type: 'preToolCall', actions: [{ type: 'shell', shell: 'true' }] } } },
    '.eca/config.json': { hooks: { BeforeTool: [{ hooks: [{ command: 'true' }] }] } },
  };
  await withFiles(files, async (directory) => {
    const context = { ...dialectContext(directory.path), home: directory.at('home'), environment: {} };
    const loaded = await load(directory, { dialects: defaultDialects(), context });
    expect(foreign(loaded).map(({ file, remedy: said }) => [file, said])).toEqual([
      [directory.at('.llxprt/settings.json'), expect.stringContaining(directory.at('.eca/config.json'))],
      [directory.at('.eca/config.json'), expect.stringContaining(directory.at('.llxprt/settings.json'))],
    ]);
  });
});
