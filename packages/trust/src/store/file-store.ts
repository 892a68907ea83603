import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Diagnostic } from '@tenterhook/protocol';
import { codeOf } from '@tenterhook/runtime/text';
import { sha256 } from '../pin/canonical-json.js';
import { contentOf } from '../pin/pin.js';
import { isSettled, timeSteps } from '../reach/files/stamp.js';
import { Blobs } from './blobs.js';
import { ContentIndex } from './content-index.js';
import {
  isRecord,
  ownerFile,
  type ProjectFolder,
  type RecordCache,
  readDecisions,
  readOneRecord,
  readOwners,
  recordFile,
  type StoredDecisions,
} from './decisions.js';
import { makePrivateFolder, removeFolder, syncFolder, writePrivateFile } from './private-files.js';
import { type Decision, maxRecordBytes, pinnedHookOf, readRecord, type TrustRecord, writeRecord } from './record.js';
import { orStoreError, TrustStoreError } from './store-error.js';
import { judgeProjectFolder, judgeStore } from './store-place.js';
import type { TrustStore } from './trust-store.js';

const hashShape = /^[0-9a-f]{64}$/;

/** The maximum number of projects that `elsewhere` returns. */
const maxElsewhere = 10;

/** The store in a directory. */
export class FileStore implements TrustStore {
  readonly directory: string;
  readonly project: string;
  readonly problems: readonly Diagnostic[];
  readonly #place: ProjectFolder;
  readonly #blobs: Blobs;
  readonly #index: ContentIndex;
  readonly #records: RecordCache = new Map();
  /** The last stamp. Set only if the folder had not changed for a while when the stamp was taken. */
  #stamp: { readonly identity: string; readonly text: string } | undefined;

  constructor(directory: string, project: string) {
    const folder = join(directory, sha256(project));
    const problem = judgeStore(directory, project);
    this.directory = directory;
    this.project = project;
    this.problems = problem === undefined ? [] : [problem];
    this.#place = { folder, hash: sha256(project) };
    this.#blobs = new Blobs(directory, folder);
    this.#index = new ContentIndex(directory);
  }

  read(): StoredDecisions {
    // Checked at each use, because a store that did not exist before may now be a link into the project.
    const problem = judgeStore(this.directory, this.project);
    return problem === undefined
      ? readDecisions(this.#place, this.#records)
      : { trusted: new Map(), denied: new Map(), problems: [problem] };
  }

  owners(): readonly number[] {
    return judgeStore(this.directory, this.project) === undefined ? readOwners(this.#place) : [];
  }

  accept(record: TrustRecord, contents: ReadonlyMap<string, Uint8Array> = new Map()): void {
    this.#store(record, 'trusted', contents);
    this.#index.add(contentOf(pinnedHookOf(record)), { project: this.#place.hash, pin: record.pin });
  }

  deny(record: TrustRecord): void {
    this.#store(record, 'denied', new Map());
  }

  #store(record: TrustRecord, decision: Decision, contents: ReadonlyMap<string, Uint8Array>): void {
    const { folder, hash: projectHash } = this.#place;
    const { pin } = record;
    const bytes = writeRecord(record, decision);
    const read = readRecord(bytes, { pin, decision, projectHash });
    if ('problem' in read) throw new TypeError(`The record ${read.problem}.`);
    const file = recordFile(folder, pin, decision);
    if (bytes.length > maxRecordBytes) {
      const message = `${file}: The record has ${bytes.length} bytes, more than the limit of ${maxRecordBytes}, and is not stored.`;
      throw new TrustStoreError(file, message, 'Shorten the definition of the hook.');
    }
    this.#add(file, () => {
      const write = () => {
        writePrivateFile(this.directory, file, bytes);
        // The opposite decision is removed last. If the process ends before that, both files exist, and then the denial is used.
        removeFile(recordFile(folder, pin, decision === 'denied' ? 'trusted' : 'denied'));
      };
      const takeBack = this.#blobs.add(contents);
      try {
        write();
      } catch {
        // The contents may have filled the disk. The decision is more important than a diff, so it is stored without contents.
        takeBack();
        write();
      }
    });
  }

  /** Adds a file to the project's folder. Creates the folder if it is missing. */
  #add(file: string, work: () => void): void {
    const attempt = () => {
      makePrivateFolder(this.#place.folder);
      work();
    };
    this.#change(file, () => {
      try {
        attempt();
      } catch (error) {
        if (codeOf(error) !== 'ENOENT') throw error;
        // Another process has just removed all decisions together with the folder.
        attempt();
      }
    });
  }

  #change<Result>(path: string, work: () => Result): Result {
    const problem = judgeStore(this.directory, this.project) ?? judgeProjectFolder(this.#place.folder);
    if (problem !== undefined) throw new TrustStoreError(problem.file ?? path, problem.message, problem.remedy ?? '');
    return orStoreError(path, work);
  }

  revoke(pin: string): boolean {
    if (!hashShape.test(pin)) return false;
    const { folder, hash } = this.#place;
    const record = readOneRecord(this.#place, pin, 'trusted');
    const files = (['trusted', 'denied'] as const).map((decision) => recordFile(folder, pin, decision));
    const removed = this.#change(folder, () => files.map(removeFile).some((isRemoved) => isRemoved));
    if (isRecord(record)) this.#index.remove(contentOf(pinnedHookOf(record)), { project: hash, pin });
    return removed;
  }

  revokeAll(): void {
    const { folder, hash } = this.#place;
    const { trusted } = readDecisions(this.#place, this.#records);
    this.#change(folder, () => {
      if (lstatSync(folder, { throwIfNoEntry: false }) !== undefined) removeFolder(this.directory, folder);
    });
    for (const [pin, record] of trusted) this.#index.remove(contentOf(pinnedHookOf(record)), { project: hash, pin });
  }

  allowOwner(uid: number): void {
    if (!Number.isSafeInteger(uid) || uid < 0 || uid > 0xffffffff) throw new TypeError(`uid must be a whole number from 0, and is ${uid}`);
    const file = ownerFile(this.#place.folder, uid);
    const content = { v: 1, owner: uid, project: this.project, at: new Date().toISOString() };
    this.#add(file, () => writePrivateFile(this.directory, file, Buffer.from(`${JSON.stringify(content, undefined, 2)}\n`)));
  }

  revokeOwner(uid: number): boolean {
    const file = ownerFile(this.#place.folder, uid);
    return this.#change(file, () => removeFile(file));
  }

  stamp(): string {
    try {
      const { folder } = this.#place;
      const readAt = Date.now();
      const stats = lstatSync(folder, { throwIfNoEntry: false, bigint: true });
      if (stats === undefined) return 'none';
      const identity = `${stats.dev} ${stats.ino} ${stats.ctimeNs}`;
      if (this.#stamp?.identity === identity) return this.#stamp.text;
      // The stamp includes the names. Two changes in quick succession may have the same file time, but they have different names.
      const text = [identity, ...readdirSync(folder)].join(' ');
      // If the last change is old enough, a further change gets another time. Then this stamp can be reused without reading the names.
      this.#stamp = isSettled(stats, readAt, timeSteps.longest) ? { identity, text } : undefined;
      return text;
    } catch (error) {
      return `unreadable ${String(codeOf(error))}`;
    }
  }

  content(hash: string): Uint8Array | undefined {
    return this.#blobs.read(hash);
  }

  elsewhere(contentHash: string): string[] {
    if (!hashShape.test(contentHash) || judgeStore(this.directory, this.project) !== undefined) return [];
    const found: string[] = [];
    for (const { project: hash, pin } of this.#index.find(contentHash)) {
      if (found.length === maxElsewhere) break;
      const project = hash === this.#place.hash ? undefined : this.#projectThatTrusts(contentHash, hash, pin);
      if (project !== undefined) found.push(project);
    }
    return found.sort();
  }

  /** Returns the project of an entry of the index, if its record exists and has this content. */
  #projectThatTrusts(contentHash: string, hash: string, pin: string): string | undefined {
    const place = { folder: join(this.directory, hash), hash };
    if (judgeProjectFolder(place.folder) !== undefined || readOneRecord(place, pin, 'denied') !== undefined) return undefined;
    const record = readOneRecord(place, pin, 'trusted');
    return isRecord(record) && contentOf(pinnedHookOf(record)) === contentHash ? record.project : undefined;
  }
}

/** Removes a file. Returns whether it existed. */
function removeFile(file: string): boolean {
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return false;
  rmSync(file, { recursive: true, force: true });
  syncFolder(dirname(file));
  return true;
}
