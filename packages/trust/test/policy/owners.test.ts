import { chmodSync, chownSync, lchownSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOwnerCheck } from '../../src/policy/owner-check.js';
import { findTrustedOwners, judgeOwner, type TrustedOwners } from '../../src/policy/owners.js';
import { findPrivateGroups } from '../../src/policy/private-groups.js';

const linux = { platform: 'linux', environment: {} } as const;
const folder = 0o040755;
const file = 0o100644;
const link = 0o120777;

/** The user 1000, whose group has no other member. */
const ada: TrustedOwners = { uids: new Set([1000, 0]), isTrustedGroup: (gid) => gid === 1000 };

const root = mkdtempSync(join(realpathSync(tmpdir()), 'owners-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('the effective user, root, and allowed owners are trusted', () => {
  expect(findTrustedOwners([], { ...linux, uid: 1000 })?.uids).toEqual(new Set([1000, 0]));
  expect(findTrustedOwners([1007], { ...linux, uid: 1000 })?.uids).toEqual(new Set([1000, 0, 1007]));
});

test('under sudo the user who called it is trusted, and SUDO_UID means nothing for other users', () => {
  const environment = { SUDO_UID: '1000' };
  expect(findTrustedOwners([], { ...linux, environment, uid: 0 })?.uids).toEqual(new Set([0, 1000]));
  expect(findTrustedOwners([], { ...linux, environment, uid: 1001 })?.uids).toEqual(new Set([1001, 0]));
  expect(findTrustedOwners([], { ...linux, environment: { SUDO_UID: '1000 1001' }, uid: 0 })?.uids).toEqual(new Set([0]));
});

test('a system without owners refuses nothing', () => {
  expect(findTrustedOwners([], { platform: 'win32', uid: undefined, environment: {} })).toBeUndefined();
  expect(judgeOwner('C:\\shop', { uid: 7, gid: 7, mode: 0o040777 }, undefined)).toBeUndefined();
});

test.each([
  ['a folder of the user', { uid: 1000, gid: 100, mode: folder }],
  ['a file of root', { uid: 0, gid: 0, mode: file }],
  ['bigints', { uid: 1000n, gid: 100n, mode: BigInt(file) }],
  ['a sticky folder of root', { uid: 0, gid: 0, mode: 0o041777 }],
  ['a link, whatever its mode', { uid: 1000, gid: 100, mode: link }],
  ['a group without other members', { uid: 1000, gid: 1000, mode: 0o100664 }],
])('may decide: %s', (_, stats) => {
  expect(judgeOwner('/home/ada/shop', stats, ada)).toBeUndefined();
});

test.each([
  [
    'another owner',
    { uid: 1001, gid: 100, mode: file },
    'foreign_owner',
    /uid 1001\. .* uids: 0, 1000\.$/,
    /--allow-owner 1001\b.*chown 1000 /,
  ],
  ['a link of another owner', { uid: 1001, gid: 100, mode: link }, 'foreign_owner', /uid 1001/, /--allow-owner 1001/],
  ['every user may write', { uid: 1000, gid: 100, mode: 0o040777 }, 'writable_by_others', /^Every user .* 0777\.$/, /^Run chmod go-w /],
  ['a group may write', { uid: 1000, gid: 100, mode: 0o100664 }, 'writable_by_others', /gid 100 .* 0664\.$/, /^Run chmod g-w /],
  ['a sticky folder of a user', { uid: 1000, gid: 100, mode: 0o041777 }, 'writable_by_others', /1777/, /chmod go-w/],
  ['a sticky file of root', { uid: 0, gid: 0, mode: 0o101666 }, 'writable_by_others', /1666/, /chmod go-w/],
])('must not decide: %s', (_, stats, code, message, remedy) => {
  expect(judgeOwner("/home/ada's/shop", stats, ada)).toEqual({
    code,
    path: "/home/ada's/shop",
    message: expect.stringMatching(message),
    remedy: expect.stringMatching(remedy),
  });
  expect(judgeOwner("/home/ada's/shop", stats, ada)?.remedy).toContain("'/home/ada'\\''s/shop'");
});

test('a group counts if it is the own one of a trusted user and has no other member', () => {
  const accounts = (users: string[], groups: string[]) => {
    const files = { users: join(root, 'passwd'), groups: join(root, 'group') };
    writeFileSync(files.users, users.join('\n'));
    writeFileSync(files.groups, groups.join('\n'));
    return [...findPrivateGroups(new Set([1000, 0]), 'linux', files)];
  };
  const adas = 'ada:x:1000:1000:::';
  expect(accounts([adas], ['ada:x:1000:'])).toEqual([1000]);
  expect(accounts([adas], ['ada:x:1000:ada'])).toEqual([1000]);
  expect(accounts([adas], ['ada:x:1000:ada,bob'])).toEqual([]);
  expect(accounts([adas], ['staff:x:1000:'])).toEqual([]);
  expect(accounts([adas], ['ada:x:1000:', 'also:x:1000:bob'])).toEqual([]);
  expect(accounts([adas, 'bob:x:1001:1000:::'], ['ada:x:1000:'])).toEqual([]);
  expect(accounts(['bob:x:1001:1001:::'], ['bob:x:1001:'])).toEqual([]);
  expect(accounts(['ada:x::::', ''], ['ada:x::', ''])).toEqual([]);
  expect([...findPrivateGroups(new Set([1000]), 'darwin', { users: join(root, 'passwd'), groups: join(root, 'group') })]).toEqual([]);
  expect([...findPrivateGroups(new Set([1000]), 'linux', { users: join(root, 'none'), groups: join(root, 'none') })]).toEqual([]);
});

/** A project with hooks/guard.sh, and a check with the rules for the user of the tests, whose group is not trusted. */
function makeProject(name: string) {
  const project = join(root, name);
  const hooks = join(project, 'hooks');
  const guard = join(hooks, 'guard.sh');
  mkdirSync(hooks, { recursive: true, mode: 0o755 });
  writeFileSync(guard, 'exit 0');
  for (const path of [project, hooks]) chmodSync(path, 0o755);
  chmodSync(guard, 0o644);
  const uids = new Set([process.geteuid?.() ?? -1, 0]);
  const check = (path: string) => createOwnerCheck(project, { uids, isTrustedGroup: () => false })(path);
  return { project, hooks, guard, check };
}

const isUnix = process.platform !== 'win32';
const onUnix = isUnix ? test : test.skip;
const asRoot = process.geteuid?.() === 0 ? test : test.skip;

onUnix('case 22: a folder between the project and a file that every user may write', () => {
  const { project, hooks, guard, check } = makeProject('writable');
  expect(check(guard)).toBeUndefined();
  chmodSync(hooks, 0o777);
  expect(check(guard)).toMatchObject({ code: 'writable_by_others', path: hooks });
  chmodSync(hooks, 0o755);
  chmodSync(project, 0o777);
  expect(check(guard)).toMatchObject({ code: 'writable_by_others', path: project });
});

onUnix('folders above the project, and names that do not exist, are not refused', () => {
  const { project, check } = makeProject('shared/shop');
  chmodSync(join(root, 'shared'), 0o777);
  expect(check(join(project, 'hooks/absent/guard.sh'))).toBeUndefined();
  expect(check(project)).toBeUndefined();
});

onUnix('a link is followed, inside of the project and out of it, and each folder of its way counts', () => {
  const { project, hooks, check } = makeProject('links');
  const outside = join(root, 'outside');
  mkdirSync(outside, { mode: 0o755 });
  writeFileSync(join(outside, 'lib.sh'), '');
  symlinkSync('../outside/lib.sh', join(project, 'relative.sh'));
  symlinkSync(join(outside, 'lib.sh'), join(project, 'absolute.sh'));
  symlinkSync('hooks', join(project, 'folder'));
  symlinkSync(`${hooks}/guard.sh`, join(project, 'inside.sh'));
  symlinkSync('loop.sh', join(project, 'loop.sh'));
  for (const name of ['relative.sh', 'absolute.sh', 'folder/guard.sh', 'inside.sh', 'loop.sh', 'folder/../hooks/guard.sh']) {
    expect([name, check(join(project, name))]).toEqual([name, undefined]);
  }
  chmodSync(outside, 0o777);
  for (const name of ['relative.sh', 'absolute.sh']) expect(check(join(project, name))).toMatchObject({ path: outside });
  expect(check(`${project}/../outside/lib.sh`)).toMatchObject({ path: outside });
  chmodSync(hooks, 0o777);
  for (const name of ['folder/guard.sh', 'inside.sh']) expect(check(join(project, name))).toMatchObject({ path: hooks });
});

asRoot('case 22: a project, a folder, a file or a link of another owner', () => {
  const { project, hooks, guard, check } = makeProject('foreign');
  const linked = join(project, 'linked.sh');
  symlinkSync('hooks/guard.sh', linked);
  for (const path of [guard, hooks, project]) {
    chownSync(path, 4711, 4711);
    expect(check(guard)).toMatchObject({ code: 'foreign_owner', path });
    const allowed = findTrustedOwners([4711], { ...linux, uid: 0 });
    expect(createOwnerCheck(project, allowed)(guard)).toBeUndefined();
    chownSync(path, 0, 0);
  }
  expect(check(linked)).toBeUndefined();
  lchownSync(linked, 4711, 4711);
  expect(check(linked)).toMatchObject({ code: 'foreign_owner', path: linked });
});

asRoot('what is in a sticky folder of root must have a trusted owner', () => {
  const { project, check } = makeProject('sticky');
  chmodSync(project, 0o1777);
  const settings = join(project, '.claude');
  mkdirSync(settings, { mode: 0o755 });
  expect(check(join(settings, 'settings.json'))).toBeUndefined();
  chownSync(settings, 4711, 4711);
  expect(check(join(settings, 'settings.json'))).toMatchObject({ code: 'foreign_owner', path: settings });
});
