import { mkdirSync, renameSync, rmSync, unlinkSync } from 'node:fs';
import type { Hooks } from '../src/hooks.js';
import { fireTool, inPlace, nextChange, type Place, toolHooks } from './hooks-rig.js';

const project = 'project/.llxprt/settings.json';
const watch = { debounceMs: 5 };
const enabled = (...names: string[]) => ({
  tools: { enableHooks: true },
  ...toolHooks(...names.map((name) => ({ name, command: `true ${name}` }))),
});
const names = (hooks: Hooks) => hooks.hooks.BeforeTool.map((hook) => hook.name);

interface Change {
  readonly before?: object;
  readonly change: (place: Place) => void;
  readonly after: readonly string[];
  readonly state?: string;
}

const changes: Record<string, Change> = {
  'is written anew': { before: enabled('a'), change: ({ write }) => void write(project, enabled('a', 'b')), after: ['a', 'b'] },
  'appears, and its folder with it': { change: ({ write }) => void write(project, enabled('a')), after: ['a'] },
  'is replaced by another of that name, as editors do': {
    before: enabled('a'),
    change: ({ at, write }) => renameSync(write(`${project}.tmp`, enabled('b')), at(project)),
    after: ['b'],
  },
  'is deleted': { before: enabled('a'), change: ({ at }) => unlinkSync(at(project)), after: [], state: 'missing' },
  'is deleted with its folder': {
    before: enabled('a'),
    change: ({ at }) => rmSync(at('project/.llxprt'), { recursive: true }),
    after: [],
    state: 'missing',
  },
  'becomes unreadable, and keeps what it said': {
    before: enabled('a'),
    change: ({ at }) => {
      unlinkSync(at(project));
      mkdirSync(at(project));
    },
    after: ['a'],
    state: 'broken',
  },
};

test.each(Object.entries(changes))("the project's file %s", async (_, { before, change, after, state = 'read' }) => {
  await inPlace(async (place) => {
    if (before !== undefined) place.write(project, before);
    const hooks = await place.create({ watch });
    const changed = nextChange(hooks);
    change(place);
    expect(await changed).toMatchObject({ cause: 'watch', files: [{ file: place.at(project), state }, {}, {}] });
    expect(names(hooks)).toEqual(after);
  });
});

test('every file that is looked for is watched: the user switches the hooks of the project on', async () => {
  await inPlace(async ({ create, write }) => {
    write(project, toolHooks({ name: 'guard', command: 'exit 2' }));
    const hooks = await create({ watch });
    expect(hooks.has('BeforeTool')).toBe(false);
    const changed = nextChange(hooks);
    write('home/.llxprt/settings.json', { tools: { enableHooks: true } });
    await changed;
    expect((await fireTool(hooks)).verdict.kind).toBe('deny');
  });
});

test('a file that is broken for a while keeps its last good state with a diagnostic, and the next change heals it', async () => {
  await inPlace(async ({ at, create, write }) => {
    write(project, { tools: { enableHooks: true }, ...toolHooks({ name: 'guard', command: 'exit 2' }) });
    const hooks = await create({ watch });
    let changed = nextChange(hooks);
    write(project, '{ "tools": { "enableHooks": true }, "hooks": {');
    const { diagnostics, files } = await changed;
    expect(diagnostics).toMatchObject([
      {
        code: 'invalid_json',
        severity: 'error',
        file: at(project),
        message: expect.stringMatching(/Its last good state stays in use\.$/),
      },
    ]);
    expect(files[0]).toMatchObject({ state: 'broken' });
    expect((await fireTool(hooks)).verdict.kind).toBe('deny');

    changed = nextChange(hooks);
    write(project, enabled('fixed'));
    expect((await changed).diagnostics).toEqual([]);
    expect(names(hooks)).toEqual(['fixed']);
  });
});

test('files that were given are watched, also where they are not there yet', async () => {
  await inPlace(async ({ at, create, write }) => {
    const hooks = await create({ settings: [at('later/given.json')], watch });
    expect(hooks.diagnostics).toMatchObject([{ code: 'unreadable_file' }]);
    const changed = nextChange(hooks);
    write('later/given.json', toolHooks({ name: 'given', command: 'true' }));
    await changed;
    expect([names(hooks), hooks.diagnostics]).toEqual([['given'], []]);
  });
});

test('a change while the settings are being read is not lost', async () => {
  await inPlace(async ({ create, write, dialect }) => {
    write(project, enabled('a'));
    const changesWhileRead = [enabled('second'), enabled('the-third')];
    let isWatching = false;
    const slow: typeof dialect = {
      ...dialect,
      parse: (document, context) => {
        const next = isWatching ? changesWhileRead.shift() : undefined;
        if (next !== undefined) write(project, next);
        return dialect.parse(document, context);
      },
    };
    const hooks = await create({ dialects: [slow], watch });
    isWatching = true;
    const seen: unknown[] = [];
    const done = new Promise<void>((resolve) => {
      hooks.onChange(() => {
        seen.push(...names(hooks));
        if (seen.length === 3) resolve();
      });
    });
    write(project, enabled('first-change'));
    await done;
    expect(seen).toEqual(['first-change', 'second', 'the-third']);
  });
});

test('where places to look at change, the new ones are watched', async () => {
  await inPlace(async ({ at, create, write, dialect }) => {
    let place = at('here.json');
    const moving: typeof dialect = { ...dialect, locations: () => [{ source: 'user', file: place }] };
    const hooks = await create({ dialects: [moving], watch });
    place = at('there.json');
    await hooks.reload();
    const changed = nextChange(hooks);
    write('there.json', enabled('a'));
    await changed;
    expect(names(hooks)).toEqual(['a']);
  });
});

test('without `watch` nothing is watched, and dispose() ends the looking', async () => {
  await inPlace(async ({ create, write }) => {
    write(project, enabled('a'));
    const [unwatched, watched, disposed] = [await create(), await create({ watch }), await create({ watch })];
    const reported: string[] = [];
    unwatched.onChange(() => reported.push('unwatched'));
    disposed.onChange(() => reported.push('disposed'));
    await disposed.dispose();
    const changed = nextChange(watched);
    write(project, enabled('changed'));
    await changed;
    expect([reported, names(unwatched), names(disposed)]).toEqual([[], ['a'], ['a']]);
  });
});

test('settings that are being read when dispose() is called are thrown away', async () => {
  await inPlace(async ({ create, write, dialect }) => {
    write(project, enabled('a'));
    let disposed: Promise<void> | undefined;
    let hooks: Hooks | undefined;
    const late: typeof dialect = {
      ...dialect,
      parse: (document, context) => {
        disposed ??= hooks?.dispose();
        return dialect.parse(document, context);
      },
    };
    hooks = await create({ dialects: [late], watch });
    const reported: string[] = [];
    hooks.onChange(({ cause }) => reported.push(cause));
    write(project, enabled('changed'));
    await hooks.reload();
    expect(disposed).toBeDefined();
    await disposed;
    await hooks.reload();
    await hooks.extensions.remove('none');
    expect([reported, names(hooks)]).toEqual([[], ['a']]);
  });
});

test('no timer of a watch is left after dispose(), and no timer keeps the process alive before', async () => {
  await inPlace(async ({ create }) => {
    const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
    const before = timers();
    const hooks = await create({ watch: true });
    expect(timers()).toBe(before);
    await hooks.dispose();
    expect(timers()).toBe(before);
  });
});

test('a file that appears in a folder of settings, and one that disappears there, are noticed', async () => {
  await inPlace(async ({ at, create, write, dialect }) => {
    const folder = at('project/.llxprt');
    const inFolder: typeof dialect = { ...dialect, locations: () => [{ source: 'project', file: at(project), folder }] };
    const hooks = await create({ dialects: [inFolder], watch });
    const first = nextChange(hooks);
    write(project, enabled('a'));
    await first;
    const second = nextChange(hooks);
    write('project/.llxprt/more.json', enabled('b'));
    await second;
    expect(names(hooks)).toEqual(['b', 'a']);
    const third = nextChange(hooks);
    unlinkSync(at('project/.llxprt/more.json'));
    await third;
    expect(names(hooks)).toEqual(['a']);
  });
});
