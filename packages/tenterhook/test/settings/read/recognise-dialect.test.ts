import { join } from 'node:path';
import { jest } from '@jest/globals';
import { containDialect } from '@tenterhook/engine/internal';
import type { Diagnostic, Dialect, HookDefinition, HookEventName, SettingsDocument } from '@tenterhook/protocol';
import { dialectContext } from '../../../src/settings/discover/dialect-context.js';
import { type LoadedSettings, loadSettings, type SettingsRequest } from '../../../src/settings/load-settings.js';
import { toDocument } from '../../../src/settings/read/read-document.js';
import { recogniseDialect } from '../../../src/settings/read/recognise-dialect.js';
import { type Directory, fakeDialect, north, south, withFiles } from '../settings-rig.js';

const context = dialectContext('/srv/app');
const native = fakeDialect('llxprt', { BeforeTool: 'BeforeTool', Rise: 'SessionStart' });

function settings(events: readonly string[], file?: string): SettingsDocument {
  const document = toDocument({ hooks: Object.fromEntries(events.map((event) => [event, []])) }, 'settings');
  return file === undefined ? document : { ...document, file };
}

interface Case {
  readonly document: SettingsDocument;
  readonly dialects?: readonly Dialect[];
  readonly is: Dialect;
  /** The formats that the note suggests. Absent: there is no note. */
  readonly could?: string;
}

const cases: Record<string, Case> = {
  'by its place, whatever it contains': { document: settings(['Rise'], '/srv/app/.south/hooks.json'), is: south },
  'by an event that only one dialect has': { document: settings(['Set'], '/srv/hooks.json'), is: south },
  'by one such event among shared ones': { document: settings(['Tool', 'Set']), is: south },
  'not by an unknown event': { document: settings(['Tool', 'Noon']), is: north, could: 'north or south' },
  'as the first that could be, with a note that names the other': { document: settings(['Tool']), is: north, could: 'north or south' },
  'as the native dialect where that could be, wherever it is in the list': {
    document: settings(['Rise']),
    dialects: [north, native],
    is: native,
    could: 'llxprt or north',
  },
  'as the one that has all of its events, where others have some of them': {
    document: settings(['Tool', 'Rise', 'Set']),
    dialects: [north, south, fakeDialect('both', { Tool: 'BeforeTool', Rise: 'SessionStart', Set: 'SessionEnd' })],
    is: fakeDialect('both', {}),
  },
  'as one of two formats of the same events, and not as a third that has one of them': {
    document: settings(['Tool', 'Rise']),
    dialects: [south, north, fakeDialect('twin', { Tool: 'BeforeTool', Rise: 'SessionStart' })],
    is: north,
    could: 'be north or twin;',
  },
  'as the native one of two twins, whatever single event a third one has beside theirs': {
    document: settings(['BeforeTool', 'Set']),
    dialects: [south, fakeDialect('twin', { BeforeTool: 'BeforeTool' }), native],
    is: native,
    could: 'llxprt, south or twin',
  },
  'as the first that could be, where the native one could not': {
    document: settings(['Tool']),
    dialects: [native, south, north],
    is: south,
    could: 'south or north',
  },
  'by events of two dialects that exclude each other: ambiguous': {
    document: settings(['Rise', 'Set']),
    is: north,
    could: 'north or south',
  },
  'as the native dialect where it speaks of no event': { document: settings([]), dialects: [north, native], is: native },
  'as the first dialect where it speaks of no event and there is no native one': { document: settings([]), is: north },
  'as the first dialect where it is not settings at all': { document: toDocument(null, 'settings'), is: north },
};

test.each(Object.entries(cases))('is recognised %s', (_, { document, dialects = [north, south], is, could }) => {
  const { dialect, note } = recogniseDialect(document, dialects, context);
  expect(dialect.name).toBe(is.name);
  if (could === undefined) expect(note).toBeUndefined();
  else expect(note).toMatchObject({ code: 'ambiguous_dialect', severity: 'note', message: expect.stringContaining(could) });
});

test('the note says how to name the other dialect, and for which file', () => {
  const { note } = recogniseDialect(settings(['Tool'], '/srv/hooks.json'), [north, south], context);
  expect(note).toMatchObject({
    file: '/srv/hooks.json',
    source: 'settings',
    remedy: 'If that is wrong, pass dialect: "south" (--dialect south).',
  });
});

test('names that every object inherits are not events', () => {
  const events: Record<string, HookEventName> = { Tool: 'BeforeTool' };
  const { dialect, note } = recogniseDialect(settings(['constructor', 'toString']), [native, fakeDialect('east', events)], context);
  expect([dialect.name, note]).toEqual(['llxprt', undefined]);
});

/** Changes a dialect so that an unknown event, or an invalid list, is an error. */
function strict(dialect: Dialect, changes: Partial<Dialect> = {}): Dialect {
  const { events = {} } = dialect;
  const problem = (event: string): Diagnostic => ({ code: 'unknown_event', severity: 'error', message: event });
  return {
    ...dialect,
    parse: ({ value }) => {
      const { hooks } = value as { hooks: Record<string, unknown> };
      const wrong = Object.keys(hooks).filter((event) => !Object.hasOwn(events, event) || !Array.isArray(hooks[event]));
      return { hooks: [], diagnostics: wrong.map(problem) };
    },
    ...changes,
  };
}

/** A dialect that recognises its hooks by a field of the hook, whatever the keys of the settings are. */
const byType = strict(fakeDialect('south', {}), {
  eventsIn: (value) => typesIn(value).filter((type) => type === 'set'),
  parse: ({ value }) => {
    const wrong = typesIn(value).filter((type) => type !== 'set');
    return { hooks: [], diagnostics: wrong.map(() => ({ code: 'unknown_event', severity: 'error' as const, message: 'no type' })) };
  },
});
const typesIn = (value: unknown) =>
  Object.values((value as { hooks: Record<string, { type?: string }> }).hooks).map(({ type }) => type ?? '');
const strictNorth = strict(north);
const object = (hooks: object) => toDocument({ hooks }, 'settings');

const readings: Record<string, Case> = {
  'as the one in which it is valid, when it names events of both': {
    document: object({ Rise: { type: 'set' } }),
    dialects: [strictNorth, byType],
    is: byType,
  },
  'as the one in which it is valid, whatever a broken dialect says of it': {
    document: object({ Rise: [] }),
    dialects: [
      containDialect(
        strict(south, {
          eventsIn: () => ['Noon'],
          parse: () => {
            throw new Error('a bug');
          },
        }),
      ),
      strictNorth,
    ],
    is: strictNorth,
  },
  'as the first in which it is valid, with a note that names the others, the one in which it is not among them': {
    document: object({ Tool: [] }),
    dialects: [strict(native, { eventsIn: () => ['Tool'] }), strict(south), strictNorth],
    is: south,
    could: 'south, llxprt or north',
  },
  'as the first that could be, where it is valid in none': {
    document: object({ Rise: [], other: { type: 'set' } }),
    dialects: [strictNorth, byType],
    is: strictNorth,
    could: 'north or south',
  },
};

test.each(Object.entries(readings))('is read %s', (_, { document, dialects = [], is, could }) => {
  const { dialect, note } = recogniseDialect(document, dialects, context);
  expect(dialect.name).toBe(is.name);
  if (could === undefined) expect(note).toBeUndefined();
  else expect(note).toMatchObject({ code: 'ambiguous_dialect', message: expect.stringContaining(could) });
});

test('a document that only one dialect speaks of is not parsed to find that out', () => {
  const parse = jest.fn<Dialect['parse']>();
  expect(recogniseDialect(settings(['Rise']), [strict(north, { parse }), strict(south, { parse })], context).dialect.name).toBe('north');
  expect(parse).not.toHaveBeenCalled();
});

test.each(['claims', 'eventsIn'])('a dialect whose %s throws is not a candidate, and does not exclude others', (method) => {
  const thrower = fakeDialect(
    'thrower',
    { Rise: 'SessionStart' },
    {
      [method]: () => {
        throw new Error('cannot tell');
      },
    },
  );
  expect(recogniseDialect(settings(['Set'], '/srv/app/.south/hooks.json'), [thrower, south], context).dialect).toBe(south);
  expect(recogniseDialect(settings(['Set']), [thrower, south], context).dialect).toBe(south);
});

test('claims are made with what is known of the machine', () => {
  const reported: unknown[] = [];
  const claims: Dialect['claims'] = (file, machine) => {
    reported.push(machine);
    return file === `${machine.projectDir}/own.json` ? {} : undefined;
  };
  const own = fakeDialect('own', {}, { claims });
  expect(recogniseDialect(settings(['Rise'], '/srv/app/own.json'), [north, own], context).dialect).toBe(own);
  expect(recogniseDialect(settings(['Rise'], '/srv/other/own.json'), [north, own], context).dialect).toBe(north);
  expect(reported).toEqual([context, context]);
});

const set = { hooks: { Set: ['s'] } };

function load({ path }: Directory, request: Partial<SettingsRequest> = {}): Promise<LoadedSettings> {
  return loadSettings({ dialects: [north, south], context: dialectContext(path), extensions: [], lastGood: new Map(), ...request });
}

const foreign = ({ diagnostics }: LoadedSettings) => diagnostics.filter(({ code }) => code === 'foreign_format');

test('settings at the place of one format that look like those of another are reported, with the place of that one', async () => {
  await withFiles({ '.north/hooks.json': set }, async (directory) => {
    const loaded = await load(directory);
    expect(foreign(loaded)).toEqual([
      {
        code: 'foreign_format',
        severity: 'warning',
        message: 'These settings were read as north, but contain no hooks of that format; they look like south.',
        remedy: `Move them to ${directory.at('.south/hooks.json')}, the south settings of this level.`,
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

const remedy = 'Pass dialect: "south" (--dialect south).';

test.each([
  ['an object in the dialect that was named', () => ({ given: [set], dialect: 'north' }), { source: 'settings' }],
  ['a file at the place of another', ({ at }: Directory) => ({ given: [at('.north/hooks.json')] }), { source: 'settings' }],
  ['an extension', () => ({ extensions: [{ name: 'x', hooks: set.hooks, dialect: 'north' }] }), { source: 'extension:x' }],
])('what is given, such as %s, is reported with how to name it', async (_, request, place) => {
  await withFiles({ '.north/hooks.json': set }, async (directory) => {
    const loaded = await load(directory, { given: [], ...request(directory) });
    expect(foreign(loaded)).toEqual([expect.objectContaining({ dialect: 'north', remedy, ...place })]);
  });
});

const quiet: Record<string, [value: unknown, dialects: readonly Dialect[]]> = {
  'it holds a hook of its own beside one of the other': [{ hooks: { Rise: ['n'], Set: ['s'] } }, [north, south]],
  'it holds what both have': [{ hooks: { Tool: ['t'] } }, [north, south]],
  'it contains a misspelling of no dialect': [{ hooks: { Rize: ['n'] } }, [north, south]],
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

test('hooks that would not run do not count: what their author meant is reported', async () => {
  const skip = { skipReason: 'invalid', reason: 'no such event' } as const;
  const hook = {
    id: 'north/project/Set/s',
    source: 'project',
    action: { kind: 'command', command: 'true' },
    skip,
  } as unknown as HookDefinition;
  const dropping: Dialect = { ...north, parse: () => ({ hooks: [hook], diagnostics: [] }) };
  await withFiles({ '.north/hooks.json': set }, async (directory) => {
    expect(foreign(await load(directory, { dialects: [dropping, south] }))).toHaveLength(1);
  });
});

test('several formats that it could be are all named, and the place of the first', async () => {
  const dialects = [north, south, fakeDialect('east', { Set: 'SessionEnd' }), fakeDialect('west', { Set: 'SessionEnd' })];
  await withFiles({ '.north/hooks.json': set }, async (directory) => {
    const [reported] = foreign(await load(directory, { dialects }));
    expect(reported?.message).toContain('they look like south, east or west.');
    expect(reported?.remedy).toContain(directory.at('.south/hooks.json'));
  });
});

test('settings of a level that the other format does not have are reported where it has some', async () => {
  const local: Dialect['locations'] = ({ projectDir }) => [{ source: 'local', file: join(projectDir, '.north/local.json') }];
  await withFiles({ '.north/local.json': set }, async (directory) => {
    const [reported] = foreign(await load(directory, { dialects: [{ ...north, locations: local }, south] }));
    expect(reported?.remedy).toBe(`Move them to ${directory.at('.south/hooks.json')}, the south settings of the level "project".`);
  });
});

test('of several formats that it could be, the first is named; one whose places are unknown has none', async () => {
  const fails = () => {
    throw new Error('no such folder');
  };
  const east = fakeDialect('east', { Set: 'SessionEnd' });
  await withFiles({ '.north/hooks.json': set }, async (directory) => {
    const [reported] = foreign(await load(directory, { dialects: [north, east, south] }));
    expect(reported?.remedy).toContain(join(directory.path, '.east/hooks.json'));
    const given = await load(directory, { dialects: [north, { ...east, locations: fails }], given: [set], dialect: 'north' });
    expect(foreign(given)).toMatchObject([{ remedy: 'Pass dialect: "east" (--dialect east).' }]);
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
