import type { Dialect } from '@tenterhook/protocol';
import { dialectContext } from '../../src/settings/discover/dialect-context.js';
import type { Extension } from '../../src/settings/extensions/extension.js';
import { SettingsSource } from '../../src/settings/settings-source.js';
import { getStamps, isSameStamps } from '../../src/settings/watch/file-stamps.js';
import { type Directory, fakeDialect, north, withFiles } from './settings-rig.js';

interface Options {
  readonly dialect?: Dialect;
  readonly given?: readonly (string | object)[];
  readonly extensions?: readonly Extension[];
}

function sourceOf({ path }: Directory, { dialect = north, given, extensions = [] }: Options = {}): SettingsSource {
  const context = dialectContext(path);
  return new SettingsSource({ dialects: [dialect], context, ...(given === undefined ? {} : { given }) }, extensions);
}

function names(source: SettingsSource): string[] {
  return source.hooksFor('SessionStart').map((hook) => hook.id.replace(/.*\//, ''));
}

const file = '.north/hooks.json';
const rise = (...hooks: string[]) => ({ hooks: { Rise: hooks } });

test('has nothing before it was loaded', async () => {
  await withFiles({ [file]: rise('a') }, async (directory) => {
    const source = sourceOf(directory);
    expect([names(source), source.files, source.diagnostics]).toEqual([[], [], []]);
  });
});

test('changes$ fires after each reload, when the new set is there, and not after unsubscribe()', async () => {
  await withFiles({ [file]: rise('a') }, async (directory) => {
    const source = sourceOf(directory);
    const seen: string[][] = [];
    const { unsubscribe } = source.changes$.subscribe(() => seen.push(names(source)));
    await source.reload();
    directory.write(file, rise('a', 'b'));
    expect(names(source)).toEqual(['a']);
    await source.reload();
    unsubscribe();
    await source.reload();
    expect(seen).toEqual([['a'], ['a', 'b']]);
  });
});

test('reloads that overlap share one reading, which sees the last state', async () => {
  await withFiles({ [file]: rise('a') }, async (directory) => {
    const source = sourceOf(directory);
    const seen: string[][] = [];
    source.changes$.subscribe(() => seen.push(names(source)));
    await Promise.all([
      source.reload(),
      source.setExtensions(() => [{ name: 'x', hooks: { Rise: ['of-x'] } }]),
      source.setExtensions((known) => [...known, { name: 'y', hooks: { Rise: ['of-y'] } }]),
      source.setExtensions((known) => known.filter((extension) => extension.name !== 'x')),
    ]);
    expect(names(source)).toEqual(['a', 'of-y']);
    expect(seen).toEqual([['a', 'of-y']]);
  });
});

test('a reload that fails is reported to its caller, keeps the set, and is not a reason for the next one to fail', async () => {
  let isBroken = false;
  const dialect = fakeDialect(
    'north',
    { Rise: 'SessionStart' },
    {
      locations: (context) => {
        if (isBroken) throw new Error('no home today');
        return north.locations(context);
      },
    },
  );
  await withFiles({ [file]: rise('a') }, async (directory) => {
    const source = sourceOf(directory, { dialect });
    await source.reload();
    directory.write(file, rise('b'));
    isBroken = true;
    const failing = source.reload();
    await expect(failing).rejects.toThrow('no home today');
    expect(names(source)).toEqual(['a']);
    isBroken = false;
    await source.reload();
    expect(names(source)).toEqual(['b']);
  });
});

test('a file that becomes garbage keeps its last good state, as long as it stays garbage, with a diagnostic', async () => {
  await withFiles({ [file]: rise('a') }, async (directory) => {
    const source = sourceOf(directory);
    await source.reload();
    directory.write(file, '{ "hooks": ');
    for (const _ of ['once', 'twice']) {
      await source.reload();
      expect(names(source)).toEqual(['a']);
      expect(source.files).toMatchObject([{ state: 'broken' }]);
      expect(source.diagnostics).toMatchObject([
        {
          code: 'invalid_json',
          severity: 'error',
          message: expect.stringMatching(/not valid JSON: .* Its last good state stays in use\.$/),
        },
      ]);
    }
    directory.write(file, rise('fixed'));
    await source.reload();
    expect([names(source), source.diagnostics]).toEqual([['fixed'], []]);
  });
});

test('a file that was garbage from the start has no good state, and does not claim one', async () => {
  await withFiles({ [file]: '{' }, async (directory) => {
    const source = sourceOf(directory);
    await source.reload();
    expect(names(source)).toEqual([]);
    expect(source.diagnostics[0]?.message).not.toContain('last good state');
  });
});

test('a file that was deleted is forgotten: garbage in its place has no good state', async () => {
  await withFiles({ [file]: rise('a') }, async (directory) => {
    const source = sourceOf(directory);
    await source.reload();
    directory.remove(file);
    await source.reload();
    expect([names(source), source.diagnostics]).toEqual([[], []]);
    expect(source.files).toMatchObject([{ state: 'missing' }]);
    directory.write(file, 'garbage');
    await source.reload();
    expect(names(source)).toEqual([]);
    expect(source.diagnostics[0]?.message).not.toContain('last good state');
  });
});

test('a file that was named and has gone keeps its last good state: it must be there', async () => {
  await withFiles({ 'given.json': rise('a') }, async (directory) => {
    const source = sourceOf(directory, { given: [directory.at('given.json')] });
    await source.reload();
    directory.remove('given.json');
    await source.reload();
    expect(names(source)).toEqual(['a']);
    expect(source.diagnostics).toMatchObject([
      { code: 'unreadable_file', message: expect.stringMatching(/does not exist\. Its last good state stays in use\.$/) },
    ]);
  });
});

test('one file in the place of two sources keeps a good state for each', async () => {
  const dialect = fakeDialect(
    'north',
    { Rise: 'SessionStart' },
    {
      locations: (context) =>
        ['project', 'user'].flatMap((source) => north.locations(context).map((location) => ({ ...location, source }))),
    },
  );
  await withFiles({ [file]: rise('a') }, async (directory) => {
    const source = sourceOf(directory, { dialect });
    await source.reload();
    directory.write(file, 'garbage');
    await source.reload();
    expect(source.hooksFor('SessionStart').map((hook) => hook.source)).toEqual(['project', 'user']);
  });
});

test('changes$ tells why, and the order of the observers is that of their coming', async () => {
  await withFiles({ [file]: rise('a') }, async (directory) => {
    const source = sourceOf(directory);
    const reported: string[] = [];
    source.changes$.subscribe((cause) => reported.push(`first: ${cause}`));
    source.changes$.subscribe((cause) => reported.push(`second: ${cause}`));
    await source.reload();
    await source.reload('watch');
    await source.setExtensions((known) => known);
    expect(reported.filter((line) => line.startsWith('second'))).toEqual(['second: reload', 'second: watch', 'second: extensions']);
    expect(reported.slice(0, 2)).toEqual(['first: reload', 'second: reload']);
  });
});

test('the stamps are those of the files that were read, also of files that are not there', async () => {
  await withFiles({ [file]: rise('a') }, async (directory) => {
    const source = sourceOf(directory);
    await source.reload();
    const isCurrent = async () => isSameStamps(source.stamps, await getStamps([directory.at(file)]));
    expect(await isCurrent()).toBe(true);
    directory.remove(file);
    expect(await isCurrent()).toBe(false);
    await source.reload();
    expect(await isCurrent()).toBe(true);
    directory.write(file, rise('a', 'b'));
    expect(await isCurrent()).toBe(false);
  });
});

test('after dispose() nothing is read, nothing is swapped and no listener is called, also for a reading in progress', async () => {
  let parsed = 0;
  const dialect = fakeDialect(
    'north',
    { Rise: 'SessionStart' },
    {
      parse: (document, context) => {
        parsed += 1;
        if (parsed === 2) source.dispose();
        return north.parse(document, context);
      },
    },
  );
  let source: SettingsSource;
  await withFiles({ [file]: rise('a') }, async (directory) => {
    source = sourceOf(directory, { dialect });
    await source.reload();
    let reported = 0;
    source.changes$.subscribe(() => {
      reported += 1;
    });
    directory.write(file, rise('a', 'b'));
    await Promise.all([source.reload(), source.reload()]);
    expect([names(source), reported, parsed]).toEqual([['a'], 0, 2]);
  });
});
