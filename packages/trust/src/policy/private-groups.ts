import { readFileSync } from 'node:fs';

/** The files that list users and groups. Tests replace them. */
export interface AccountFiles {
  readonly users: string;
  readonly groups: string;
}

/**
 * Returns the groups whose only members are trusted users. Most Linux systems give each user such a group, and let the group write new
 * files (umask 002). Without this rule, every clone on these systems would be refused. Debian and Fedora use the same rule for ssh: the
 * group has the name of the user, is the user's own group, and has no other member.
 *
 * The result is empty on systems whose files do not list all users (macOS). A user's group that comes from a directory service is not
 * found. Access control lists are not read.
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

/** Returns NaN if the text is not a number. NaN equals no number, so it matches no user and no group. */
function numberOf(text: string | undefined): number {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : Number.NaN;
}
