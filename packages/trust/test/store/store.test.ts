import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { sha256 } from '../../src/pin/canonical-json.js';
import { contentOf } from '../../src/pin/pin.js';
import { openTrustStore } from '../../src/store/open-store.js';
import { pinnedHookOf } from '../../src/store/record.js';
import { makeScene, recordOf } from './scene.js';

const scene = makeScene('store');
const { directory, project, folderOf, open } = scene;
afterAll(scene.dispose);
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const guard = recordOf(project);
const format = recordOf(project, './format.sh');

test('a decision is read by another store of the same project', () => {
  open().accept(guard);
  open().deny(format);
  const { trusted, denied, problems } = open().read();
  expect([...trusted]).toEqual([[guard.pin, guard]]);
  expect([...denied]).toEqual([[format.pin, format]]);
  expect([open().owners(), problems]).toEqual([[], []]);
});

test('a store that was never used is empty, and makes no directory', () => {
  const store = open();
  expect(store.read()).toEqual({ trusted: new Map(), denied: new Map(), problems: [] });
  expect([store.directory, store.project, store.problems]).toEqual([directory, project, []]);
  expect([store.revoke(guard.pin), store.content('ab'.repeat(32)), store.elsewhere('ab'.repeat(32))]).toEqual([false, undefined, []]);
  store.revokeAll();
  expect(existsSync(directory)).toBe(false);
});

test('directories and files are for this user alone, and nothing else is left', () => {
  open().accept(guard, new Map([[sha256('exit 0'), Buffer.from('exit 0')]]));
  const mode = (path: string) => (lstatSync(path).mode & 0o7777).toString(8);
  const folder = folderOf(project);
  expect([directory, folder, join(folder, 'blobs')].map(mode)).toEqual(['700', '700', '700']);
  expect(readdirSync(folder).sort()).toEqual([`${guard.pin}.json`, 'blobs'].sort());
  expect([mode(join(folder, `${guard.pin}.json`)), mode(join(folder, 'blobs', sha256('exit 0')))]).toEqual(['600', '600']);
  expect(readdirSync(join(directory, 'tmp'))).toEqual([]);
});

test('a later decision about the same pin replaces the earlier one', () => {
  const store = open();
  store.accept(guard);
  store.deny(guard);
  expect([[...store.read().trusted.keys()], [...store.read().denied.keys()]]).toEqual([[], [guard.pin]]);
  store.accept(guard);
  expect([[...store.read().trusted.keys()], [...store.read().denied.keys()]]).toEqual([[guard.pin], []]);
});

test('a denial counts before an acceptance, also one that cannot be read', () => {
  const store = open();
  store.accept(guard);
  writeFileSync(join(folderOf(project), `${guard.pin}.denied.json`), '{', { mode: 0o600 });
  const { trusted, denied, problems } = store.read();
  expect([trusted.size, denied.size, problems.map(({ code }) => code)]).toEqual([0, 0, ['trust_store']]);
});

test('revoke removes one decision, of either kind, and revokeAll removes all of this project', () => {
  const other = join(scene.root, 'other');
  mkdirSync(other);
  const store = open();
  store.accept(guard, new Map([[sha256('exit 0'), Buffer.from('exit 0')]]));
  store.deny(format);
  store.allowOwner(4711);
  open(other).accept(recordOf(other));
  expect([store.revoke(format.pin), store.revoke(format.pin), store.revoke('../x')]).toEqual([true, false, false]);
  expect([...store.read().trusted.keys()]).toEqual([guard.pin]);
  store.revokeAll();
  expect(store.read()).toEqual({ trusted: new Map(), denied: new Map(), problems: [] });
  expect(store.content(sha256('exit 0'))).toBeUndefined();
  expect(open(other).read().trusted.size).toBe(1);
  store.accept(guard);
  expect(store.read().trusted.size).toBe(1);
});

test('allowed owners are kept for this project, each for itself', () => {
  const store = open();
  store.allowOwner(4711);
  open().allowOwner(0);
  expect(store.owners()).toEqual([0, 4711]);
  expect([store.revokeOwner(0), store.revokeOwner(0)]).toEqual([true, false]);
  expect(store.owners()).toEqual([4711]);
  for (const uid of [-1, 1.5, 2 ** 32, Number.NaN]) expect(() => store.allowOwner(uid)).toThrow(TypeError);
});

test('the stamp changes with every decision, and with nothing else', () => {
  const store = open();
  const stamps = [store.stamp()];
  const steps = [
    () => open().accept(guard),
    () => open().deny(guard),
    () => open().accept(guard),
    () => open().accept(format),
    () => open().revoke(format.pin),
    () => open().allowOwner(7),
    () => open().revokeOwner(7),
    () => open().revokeAll(),
  ];
  for (const step of steps) {
    step();
    stamps.push(store.stamp());
    expect(store.stamp()).toBe(stamps.at(-1));
    expect(stamps.at(-1)).not.toBe(stamps.at(-2));
  }
  mkdirSync(join(scene.root, 'third'));
  open(join(scene.root, 'third')).accept(recordOf(join(scene.root, 'third')));
  expect(store.stamp()).toBe(stamps.at(-1));
});

test('the stamp changes after a time without changes, too', () => {
  const now = jest.spyOn(Date, 'now');
  try {
    const store = open();
    store.accept(guard);
    now.mockReturnValue(lstatSync(folderOf(project)).ctimeMs + 60_000);
    const settled = store.stamp();
    expect(store.stamp()).toBe(settled);
    now.mockRestore();
    // The clock of the test is ahead, so the next change must not have the time of the last one.
    const timeOf = (path: string) => lstatSync(path, { bigint: true }).ctimeNs;
    const probe = join(scene.root, 'probe');
    do writeFileSync(probe, '');
    while (timeOf(probe) <= timeOf(folderOf(project)));
    open().accept(format);
    const accepted = store.stamp();
    expect(accepted).not.toBe(settled);
    open().revoke(format.pin);
    expect(store.stamp()).not.toBe(accepted);
  } finally {
    now.mockRestore();
  }
});

test('a record that is not of this project, or has another pin, is a TypeError, and is not stored', () => {
  const store = open();
  expect(() => store.accept({ ...guard, pin: format.pin })).toThrow(TypeError);
  expect(() => store.accept(recordOf('/elsewhere'))).toThrow(/another project, "\/elsewhere"/);
  expect(() => store.deny({ ...guard, by: 'repository' as 'host' })).toThrow(/"by"/);
  expect(store.read().trusted.size).toBe(0);
  expect(existsSync(folderOf(project))).toBe(false);
});

test('a record that would be too long to be read is an error that names the file', () => {
  const long = recordOf(project, 'x', { definition: { prompt: 'x'.repeat(1024 * 1024) } });
  expect(() => open().accept(long)).toThrow(
    expect.objectContaining({ code: 'trust_store', path: join(folderOf(project), `${long.pin}.json`), remedy: expect.any(String) }),
  );
  expect(open().read()).toMatchObject({ trusted: new Map(), problems: [] });
});

test('contents of up to 256 KiB are kept, and one that was changed is not returned', () => {
  const [short, long, changed] = [Buffer.alloc(256 * 1024, 1), Buffer.alloc(256 * 1024 + 1, 2), Buffer.from('exit 0')];
  const contents = new Map([short, long, changed].map((bytes) => [sha256(bytes), bytes]));
  contents.set('cd'.repeat(32), Buffer.from('not what its name says'));
  contents.set('../escape', Buffer.from('x'));
  open().accept(guard, contents);
  writeFileSync(join(folderOf(project), 'blobs', sha256(changed)), 'exit 1');
  const store = open();
  expect(short.equals(store.content(sha256(short)) ?? Buffer.alloc(0))).toBe(true);
  expect([sha256(long), sha256(changed), 'cd'.repeat(32), '../escape'].map((name) => store.content(name))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  store.accept(guard, contents);
  expect(changed.equals(store.content(sha256(changed)) ?? Buffer.alloc(0))).toBe(true);
});

test('contents beyond 16 MiB are removed, the oldest first; one that is used again is not old', () => {
  const contents = Array.from({ length: 64 }, (_, index) => Buffer.alloc(256 * 1024, index + 1));
  const names = contents.map((bytes) => sha256(bytes));
  const mapOf = (...indices: number[]) => new Map(indices.map((index) => [names[index] as string, contents[index] as Buffer]));
  const store = open();
  store.accept(guard, mapOf(...contents.keys()));
  for (const [index, name] of names.entries()) utimesSync(join(folderOf(project), 'blobs', name), 1_000 + index, 1_000 + index);
  const [one, other] = [Buffer.alloc(256 * 1024, 101), Buffer.alloc(256 * 1024, 102)];
  store.accept(format, new Map([[sha256(one), one], ...mapOf(0)]));
  store.accept(format, new Map([[sha256(other), other]]));
  const kept = new Set(readdirSync(join(folderOf(project), 'blobs')));
  expect(names.flatMap((name, index) => (kept.has(name) ? [] : [index]))).toEqual([1, 2]);
  expect([kept.has(sha256(one)), kept.has(sha256(other)), kept.size]).toEqual([true, true, 64]);
});

test('case 42: the same hook in another project is found, and a stale index names none', () => {
  const [one, two, three] = ['one', 'two', 'three'].map((name) => join(scene.root, name)) as [string, string, string];
  for (const folder of [one, two, three]) mkdirSync(folder, { recursive: true });
  const content = contentOf(pinnedHookOf(guard));
  for (const folder of [one, two, three]) open(folder).accept(recordOf(folder));
  expect(open().elsewhere(content)).toEqual([one, three, two]);
  expect(open(one).elsewhere(content)).toEqual([three, two]);
  open(one).revoke(recordOf(one).pin);
  open(two).deny(recordOf(two));
  expect(open().elsewhere(content)).toEqual([three]);
  // The index is only where to look: a record that is gone, or whose entry is invented, is not there.
  rmSync(folderOf(three), { recursive: true });
  writeFileSync(join(directory, 'content', content, `${sha256(one)}.${'cd'.repeat(32)}`), '');
  writeFileSync(join(directory, 'content', content, '..%2f'), '');
  expect(open().elsewhere(content)).toEqual([]);
  expect([open().elsewhere('../..'), open().elsewhere('ef'.repeat(32))]).toEqual([[], []]);
});

test('files that a killed process left in tmp are removed after an hour', () => {
  const store = open();
  store.accept(guard);
  const [old, fresh] = [join(directory, 'tmp/old'), join(directory, 'tmp/fresh')];
  for (const file of [old, fresh]) writeFileSync(file, 'half');
  const before = Date.now() / 1000 - 2 * 60 * 60;
  utimesSync(old, before, before);
  store.accept(format);
  expect([existsSync(old), existsSync(fresh)]).toEqual([false, true]);
});

test('a directory of the caller is used as it is, and must be absolute', () => {
  const own = join(scene.root, 'own');
  const store = openTrustStore({ projectDir: project, directory: own, home: undefined, environment: {}, platform: process.platform });
  store.accept(guard);
  expect(JSON.parse(readFileSync(join(own, sha256(project), `${guard.pin}.json`), 'utf8'))).toEqual({ ...guard, decision: 'trusted' });
  expect(() => openTrustStore({ projectDir: project, directory: 'own', home: undefined, environment: {}, platform: 'linux' })).toThrow(
    TypeError,
  );
});

test('without a home directory nothing is trusted, and a decision is an error with a remedy', () => {
  const store = openTrustStore({ projectDir: project, home: undefined, environment: {}, platform: 'linux' });
  expect(store.read().problems).toMatchObject([{ code: 'trust_store', remedy: expect.stringContaining('XDG_STATE_HOME') }]);
  expect(() => store.accept(guard)).toThrow(
    expect.objectContaining({ code: 'trust_store', remedy: expect.stringContaining('XDG_STATE_HOME') }),
  );
});
