import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Diagnostic } from '@tenterhook/protocol';
import { codeOf, describeThrown } from '@tenterhook/runtime/text';
import { readGuardedFile } from '../policy/read-guarded-file.js';
import { isSameStamp, type Stamp, statsOf } from '../reach/files/stamp.js';
import { judgePrivateFile } from './private-files.js';
import { type Decision, maxRecordBytes, readRecord, type TrustRecord } from './record.js';
import { fileProblem, judgeProjectFolder, storeProblem } from './store-place.js';

/** The decisions about one project. */
export interface StoredDecisions {
  /** The hooks that may run, by pin. */
  readonly trusted: ReadonlyMap<string, TrustRecord>;
  /** The hooks that must not run and are not asked about again, by pin. */
  readonly denied: ReadonlyMap<string, TrustRecord>;
  /** Problems: one for each file that is ignored, and one if the store cannot be used. */
  readonly problems: readonly Diagnostic[];
}

/** The folder of a project in the store. */
export interface ProjectFolder {
  readonly folder: string;
  /** The name of the folder: the SHA-256 of the real path of the project. */
  readonly hash: string;
}

/** Files of a project beyond this number are not read. */
const maxFiles = 10_000;

const recordName = /^([0-9a-f]{64})(\.denied)?\.json$/;
const ownerName = /^(\d{1,10})\.owner\.json$/;

/** Returns the name of the file of a decision. */
export function recordFile(folder: string, pin: string, decision: Decision): string {
  return join(folder, decision === 'denied' ? `${pin}.denied.json` : `${pin}.json`);
}

/**
 * Returns the file that allows an owner. Each owner has its own file, so that two owners who are allowed at the same time are both stored.
 */
export function ownerFile(folder: string, uid: number): string {
  return join(folder, `${uid}.owner.json`);
}

/** Reads one record. Returns undefined if there is no such record. */
export function readOneRecord({ folder, hash }: ProjectFolder, pin: string, decision: Decision): TrustRecord | Diagnostic | undefined {
  const file = recordFile(folder, pin, decision);
  const found = readGuardedFile(file, maxRecordBytes, judgePrivateFile);
  if (found === undefined) return undefined;
  if ('problem' in found) return fileProblem(file, found.problem);
  const read = readRecord(found.bytes, { pin, decision, projectHash: hash });
  return 'problem' in read ? fileProblem(file, read.problem) : read.record;
}

export function isRecord(read: TrustRecord | Diagnostic | undefined): read is TrustRecord {
  return read !== undefined && 'pin' in read;
}

/** Records by their files. A file is read again only if its stamp has changed. */
export type RecordCache = Map<string, { readonly stamp: Stamp; readonly record: TrustRecord }>;

/** Reads all decisions about a project. A file that cannot be used is reported as a problem, and the other files are used. */
export function readDecisions(place: ProjectFolder, cache: RecordCache): StoredDecisions {
  const { folder } = place;
  const trusted = new Map<string, TrustRecord>();
  const denied = new Map<string, TrustRecord>();
  const problems: Diagnostic[] = [];
  const decisions = { trusted, denied, problems };
  const unusable = judgeProjectFolder(folder);
  if (unusable !== undefined) return { ...decisions, problems: [unusable] };
  const names = namesIn(folder, problems);
  for (const name of names) {
    const [, pin, isDenied] = recordName.exec(name) ?? [];
    if (ownerName.test(name)) {
      const problem = readOwner(folder, name);
      if (problem !== undefined) problems.push(problem);
    }
    // If there are both a denial and an acceptance, the denial is used, even if its file cannot be read. The name of the file is enough,
    // because it contains the decision.
    if (pin === undefined || (isDenied === undefined && names.has(`${pin}.denied.json`))) continue;
    const read = readKnownRecord(place, pin, isDenied === undefined ? 'trusted' : 'denied', cache);
    if (isRecord(read)) (isDenied === undefined ? trusted : denied).set(pin, read);
    else if (read !== undefined) problems.push(read);
  }
  return decisions;
}

/**
 * Reads a record, or returns the cached one if the stamp of its file is the same. If the file was replaced within one step of the clock,
 * the stamp may be unchanged although the content differs. This is harmless: the name of the file contains the pin, so the new content is
 * either the same record or invalid.
 */
function readKnownRecord(place: ProjectFolder, pin: string, decision: Decision, cache: RecordCache): TrustRecord | Diagnostic | undefined {
  const file = recordFile(place.folder, pin, decision);
  const stamp = statsOf(file);
  const known = cache.get(file);
  if (known !== undefined && isSameStamp(known.stamp, stamp)) return known.record;
  const read = readOneRecord(place, pin, decision);
  if (isRecord(read)) cache.set(file, { stamp, record: read });
  else cache.delete(file);
  return read;
}

/** Returns the users who may own files of the project, in addition to this user and root. */
export function readOwners({ folder }: ProjectFolder): number[] {
  if (judgeProjectFolder(folder) !== undefined) return [];
  return [...namesIn(folder, [])].flatMap((name) => {
    const [, uid] = ownerName.exec(name) ?? [];
    return uid === undefined || readOwner(folder, name) !== undefined ? [] : [Number(uid)];
  });
}

/** Returns why the file of an owner is ignored, or undefined. */
function readOwner(folder: string, name: string): Diagnostic | undefined {
  const found = readGuardedFile(join(folder, name), maxRecordBytes, judgePrivateFile);
  return found !== undefined && 'problem' in found ? fileProblem(join(folder, name), found.problem) : undefined;
}

function namesIn(folder: string, problems: Diagnostic[]): ReadonlySet<string> {
  try {
    const names = readdirSync(folder).sort();
    if (names.length > maxFiles) {
      const message = `The directory with trusted hooks has ${names.length} files, more than the limit of ${maxFiles}. It is not used, so no hook in it is trusted.`;
      problems.push(storeProblem(message, 'Run tenterhook trust --revoke --all, and decide again.', folder));
      return new Set();
    }
    return new Set(names);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT')
      problems.push(
        storeProblem(
          `The directory with trusted hooks cannot be read: ${describeThrown(error)}. No hook in it is trusted.`,
          'Make it readable for you.',
          folder,
        ),
      );
    return new Set();
  }
}
