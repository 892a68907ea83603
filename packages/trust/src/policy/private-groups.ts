import { readFileSync } from 'node:fs';

/** The files that list users and groups, replaced by tests. */
export interface AccountFiles {
  readonly users: string;
  readonly groups: string;
}

/**
 * Returns the groups that have only trusted users as members. Most Linux systems give every user a group of the same name with no other
 * member, and let its members write new files (umask 002): without this rule, every clone there would be refused. The rule is that of
 * Debian's and Fedora's ssh: the group has the name of the user, it is the user's own group, and it has no other member.
 *
 * Empty on systems whose files do not list all users (macOS). A user from a directory service is not in these files either, so the group of
 * such a user does not count. What an access control list grants is not seen.
 */
export function findPrivateGroups(
  uids: ReadonlySet<number>,
  platform: NodeJS.Platform,
  files: AccountFiles = { users: '/etc/passwd', groups: '/etc/group' },
): ReadonlySet<number> {
  if (platform !== 'linux') return new Set();
  const users = linesOf(files.users).map(([name, , uid, gid]) => ({ name, uid: numberOf(uid), gid: numberOf(gid) }));
  const groups = linesOf(files.groups).map(([name, , gid, members = '']) => ({ name, gid: numberOf(gid), members: members.split(',') }));
  const trusted = users.filter(({ uid }) => uids.has(uid));
  const names = new Set(['', ...trusted.map(({ name }) => name)]);
  const found = trusted.flatMap(({ name, gid }) => {
    const [own, other] = groups.filter((group) => group.gid === gid);
    const isPrivate = own !== undefined && other === undefined && own.name === name && own.members.every((member) => names.has(member));
    return isPrivate && users.every((user) => user.gid !== gid || uids.has(user.uid)) ? [gid] : [];
  });
  return new Set(found);
}

function linesOf(file: string): string[][] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(':'));
  } catch {
    return [];
  }
}

/** NaN, which equals nothing, unless the text is a number. */
function numberOf(text: string | undefined): number {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : Number.NaN;
}
