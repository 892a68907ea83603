import type { Stats } from 'node:fs';
import { inShell, quote } from '@tenterhook/runtime/text';
import type { Refusal } from '../reach/reach.js';
import { findPrivateGroups } from './private-groups.js';

/** A refusal because of who owns or may write a file. */
export type RefusedOwner = Refusal & { readonly code: 'foreign_owner' | 'writable_by_others' };

/** Who may own and write what decides which hooks run. */
export interface TrustedOwners {
  /** The effective user, root, under sudo the user who called it, and the users that were allowed for this project. */
  readonly uids: ReadonlySet<number>;
  /** Whether all members of the group are trusted, so that its members may write. */
  isTrustedGroup(gid: number): boolean;
}

/** What `findTrustedOwners` reads of the process, replaced by tests. */
export interface OwnProcess {
  readonly platform: NodeJS.Platform;
  /** The effective user. Undefined if the system has no user ids. */
  readonly uid: number | undefined;
  /** The environment of the process itself, without variables of settings. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Returns who may own what decides which hooks run. Undefined on Windows, which has no owners and modes of this kind: nothing is refused
 * there. `SUDO_UID` counts only for root, because sudo sets it; for any other user it is a variable that a program may have set.
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

/** The fields of a file's stats that decide, as numbers or as the bigints of `lstatSync(…, { bigint: true })`. */
export type OwnedStats = { readonly [Field in keyof Pick<Stats, 'uid' | 'gid' | 'mode'>]: number | bigint };

const fileKind = 0o170000;
const folderKind = 0o040000;
const linkKind = 0o120000;
const sticky = 0o1000;

/**
 * Returns why a file, folder or link must not decide what runs: it belongs to a user who is not trusted, or others may write it. Pure. A
 * sticky folder of root, such as /tmp, may be writable: in it, users cannot replace files of others, and that has an owner of its
 * own. The mode of a link means nothing.
 */
export function judgeOwner(path: string, stats: OwnedStats, owners: TrustedOwners | undefined): RefusedOwner | undefined {
  if (owners === undefined) return undefined;
  const [uid, gid, mode] = [Number(stats.uid), Number(stats.gid), Number(stats.mode)];
  if (!owners.uids.has(uid)) {
    const allowed = [...owners.uids].sort((one, other) => one - other).join(', ');
    const message = `${quote(path)} belongs to the user with the uid ${uid}. The owner must have one of these uids: ${allowed}.`;
    const remedy = `If you trust that user, run tenterhook trust --allow-owner ${uid}. To take it over, run sudo chown ${[...owners.uids][0]} ${inShell(path)}.`;
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
