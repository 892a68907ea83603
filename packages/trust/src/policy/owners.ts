import type { Stats } from 'node:fs';
import { inShell, quote } from '@tenterhook/runtime/text';
import type { Refusal } from '../reach/reach.js';
import { findPrivateGroups } from './private-groups.js';

/** Why the owner or the mode of a file is refused. */
export type RefusedOwner = Refusal & { readonly code: 'foreign_owner' | 'writable_by_others' };

/** Who may own and write the files that decide which hooks run. */
export interface TrustedOwners {
  /** The effective user, root, the user who called sudo, and the users who were allowed for this project. */
  readonly uids: ReadonlySet<number>;
  /** Whether all members of the group are trusted. The group may then write. */
  isTrustedGroup(gid: number): boolean;
}

/** The properties of the process that `findTrustedOwners` reads. Tests replace them. */
export interface OwnProcess {
  readonly platform: NodeJS.Platform;
  /** The effective user. Undefined if the system has no user ids. */
  readonly uid: number | undefined;
  /** The environment of the process itself, without variables of settings. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Returns who may own files that decide which hooks run. Returns undefined on Windows, whose files have no such owners and modes. There,
 * nothing is refused. `SUDO_UID` is used only if this process runs as root, because then sudo has set it. In any other process another
 * program may have set it.
 */
export function findTrustedOwners(
  allowOwners: readonly number[] = [],
  { platform, uid, environment }: OwnProcess = { platform: process.platform, uid: process.geteuid?.(), environment: process.env },
): TrustedOwners | undefined {
  if (platform === 'win32' || uid === undefined) return undefined;
  const uids = new Set([uid, 0, ...allowOwners]);
  const { SUDO_UID } = environment;
  if (uid === 0 && SUDO_UID !== undefined && /^\d{1,10}$/.test(SUDO_UID)) uids.add(Number(SUDO_UID));
  let groups: ReadonlySet<number> | undefined;
  return {
    uids,
    isTrustedGroup: (gid) => {
      groups ??= findPrivateGroups(uids, platform);
      return groups.has(gid);
    },
  };
}

/** The fields of a file's stats that are checked, as numbers or as the bigints of `lstatSync(…, { bigint: true })`. */
export type OwnedStats = { readonly [Field in keyof Pick<Stats, 'uid' | 'gid' | 'mode'>]: number | bigint };

const fileKind = 0o170000;
const folderKind = 0o040000;
const linkKind = 0o120000;
const sticky = 0o1000;

/**
 * Returns why a file, folder or link is not safe to decide what runs: its owner is not trusted, or other users can write to it. A
 * writable folder of root with the sticky bit, such as /tmp, is not refused. In such a folder users cannot replace files of others, and
 * the file itself is checked too. The mode of a link is ignored.
 */
export function judgeOwner(path: string, stats: OwnedStats, owners: TrustedOwners | undefined): RefusedOwner | undefined {
  if (owners === undefined) return undefined;
  const [uid, gid, mode] = [Number(stats.uid), Number(stats.gid), Number(stats.mode)];
  if (!owners.uids.has(uid)) {
    const allowed = [...owners.uids].sort((one, other) => one - other).join(', ');
    const message = `${quote(path)} belongs to the user with the uid ${uid}. The owner must have one of these uids: ${allowed}.`;
    const remedy = `If you trust that user, run tenterhook trust --allow-owner ${uid}. To become the owner yourself, run sudo chown ${[...owners.uids][0]} ${inShell(path)}.`;
    return { code: 'foreign_owner', path, message, remedy };
  }
  const kind = mode & fileKind;
  if (kind === linkKind || (kind === folderKind && uid === 0 && (mode & sticky) !== 0)) return undefined;
  const isGroupWritable = (mode & 0o020) !== 0 && !owners.isTrustedGroup(gid);
  const isWorldWritable = (mode & 0o002) !== 0;
  if (!isGroupWritable && !isWorldWritable) return undefined;
  const who = isWorldWritable ? 'Every user' : `Every member of the group with the gid ${gid}`;
  const shown = (mode & 0o7777).toString(8).padStart(4, '0');
  return {
    code: 'writable_by_others',
    path,
    message: `${who} may write ${quote(path)}: its mode is ${shown}.`,
    remedy: `Run chmod ${isWorldWritable ? 'go' : 'g'}-w ${inShell(path)}.`,
  };
}
