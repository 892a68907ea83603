import { renameSync, symlinkSync, unlinkSync, utimesSync } from 'node:fs';
import { getStamp, getStamps, isSameStamps } from '../../../src/settings/watch/file-stamps.js';
import { type Directory, withFiles } from '../settings-rig.js';

/** Ways to change a file. The stamps must differ after each of them. */
const changes: Record<string, (directory: Directory) => void> = {
  'more text': ({ write }) => write('a.json', '{ }'),
  'another file of the same length and the same time in its place': ({ at, write }) => {
    utimesSync(at('a.json'), 1, 1);
    write('b.json', '{}');
    utimesSync(at('b.json'), 1, 1);
    renameSync(at('b.json'), at('a.json'));
  },
  'its removal': ({ remove }) => remove('a.json'),
};

test.each(Object.entries(changes))('%s is another stamp', async (_, change) => {
  await withFiles({ 'a.json': '{}' }, async (directory) => {
    const before = await getStamps([directory.at('a.json')]);
    expect(isSameStamps(before, await getStamps([directory.at('a.json')]))).toBe(true);
    change(directory);
    expect(isSameStamps(before, await getStamps([directory.at('a.json')]))).toBe(false);
  });
});

test('a file that is not there has a stamp, too, and so has one in a folder that is not there', async () => {
  await withFiles({}, async ({ at, write }) => {
    const missing = await getStamp(at('no/a.json'));
    expect(await getStamp(at('no/a.json'))).toBe(missing);
    write('no/a.json', '{}');
    expect(await getStamp(at('no/a.json'))).not.toBe(missing);
  });
});

test('a link that leads elsewhere is another stamp, and one that leads to itself has one', async () => {
  await withFiles({ 'a.json': '{}', 'b.json': '{}' }, async ({ at }) => {
    symlinkSync(at('a.json'), at('link'));
    const before = await getStamp(at('link'));
    unlinkSync(at('link'));
    symlinkSync(at('b.json'), at('link'));
    expect(await getStamp(at('link'))).not.toBe(before);
    symlinkSync(at('loop'), at('loop'));
    expect(await getStamp(at('loop'))).toBe(await getStamp(at('loop')));
  });
});

test('stamps of other files are other stamps', () => {
  expect(isSameStamps(new Map([['/a', '']]), new Map([['/b', '']]))).toBe(false);
  expect(isSameStamps(new Map([['/a', '']]), new Map())).toBe(false);
});
