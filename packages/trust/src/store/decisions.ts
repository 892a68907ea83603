import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Diagnostic } from '@tenterhook/protocol';
import { codeOf, describeThrown } from '@tenterhook/runtime/text';
import { readGuardedFile } from '../policy/read-guarded-file.js';
import { judgePrivateFile } from './private-files.js';
import { type Decision, maxRecordBytes, readRecord, type TrustRecord } from './record.js';
import { fileProblem, judgeProjectFolder, storeProblem } from './store-place.js';

/** The decisions about one project. */
export interface StoredDecisions {
  /** The hooks that may run, by pin. */
  readonly trusted: ReadonlyMap<string, TrustRecord>;
  /** The hooks that must not run and are not asked about again, by pin. */
  readonly denied: ReadonlyMap<string, TrustRecord>;
  /** The users who may own files of the project, beside this one and root. */
  readonly owners: readonly number[];
  /** One for each file that does not count, and for a store that cannot be used. */
  readonly problems: readonly Diagnostic[];
}

/** The folder of a project in the store. */
export interface ProjectFolder {
  readonly folder: string;
  /** Its name: the SHA-256 of the real path of the project. */
  readonly hash: string;
}

/** Files of a project beyond this number are not read. */
const maxFiles = 10_000;

const recordName = /^([0-9a-f]{64})(\.denied)?\.json$/;
const ownerName = /^(\d{1,10})\.owner\.json$/;

/** The name of the file of a decision. */
export function recordFile(folder: string, pin: string, decision: Decision): string {
  return join(folder, decision === 'denied' ? `${pin}.denied.json` : `${pin}.json`);
}

/** The name of the file that allows an owner. One for each owner, so that two that are allowed at once are both kept. */
export function ownerFile(folder: string, uid: number): string {
  return join(folder, `${uid}.owner.json`);
}

/** Reads one record. Undefined if there is none. */
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

/** Reads all decisions about a project. A file that cannot be used is a problem, and the others count. */
export function readDecisions(place: ProjectFolder): StoredDecisions {
  const { folder } = place;
  const trusted = new Map<string, TrustRecord>();
  const denied = new Map<string, TrustRecord>();
  const owners: number[] = [];
  const problems: Diagnostic[] = [];
  const decisions = { trusted, denied, owners, problems };
  const unusable = judgeProjectFolder(folder);
  if (unusable !== undefined) return { ...decisions, problems: [unusable] };
  const names = namesIn(folder, problems);
  for (const name of names) {
    const [, pin, isDenied] = recordName.exec(name) ?? [];
    const [, uid] = ownerName.exec(name) ?? [];
    if (uid !== undefined) {
      const found = readGuardedFile(join(folder, name), maxRecordBytes, judgePrivateFile);
      if (found !== undefined && 'problem' in found) problems.push(fileProblem(join(folder, name), found.problem));
      else if (found !== undefined) owners.push(Number(uid));
    }
    // A denial counts before an acceptance, also one that cannot be read: its name says what was decided.
    if (pin === undefined || (isDenied === undefined && names.has(`${pin}.denied.json`))) continue;
    const read = readOneRecord(place, pin, isDenied === undefined ? 'trusted' : 'denied');
    if (isRecord(read)) (isDenied === undefined ? trusted : denied).set(pin, read);
    else if (read !== undefined) problems.push(read);
  }
  return decisions;
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
