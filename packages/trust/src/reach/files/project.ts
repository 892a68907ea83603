import { realpathSync } from 'node:fs';
import { sep } from 'node:path';
import { realProject } from '../../store/project-path.js';
import type { Findings } from '../command/findings.js';
import type { Refusal } from '../reach.js';
import { locate, type Place } from './locate.js';
import { readNames } from './names.js';
import { type Content, readContent } from './read-content.js';
import { type Folder, readFolder } from './read-folder.js';
import { isSameStamp, type Stamp, statsOf } from './stamp.js';

/** How much of a project is read. What lies beyond makes a hook open. */
export interface ReachLimits {
  /** Of one hook. */
  readonly files: number;
  readonly bytes: number;
  readonly depth: number;
  /** The limits for all hooks of the project together. */
  readonly projectFiles: number;
  readonly projectBytes: number;
}

export const defaultReachLimits: ReachLimits = {
  files: 500,
  bytes: 4 * 1024 * 1024,
  depth: 8,
  projectFiles: 5_000,
  projectBytes: 64 * 1024 * 1024,
};

export interface ProjectOptions {
  /** The directory of the project. Its links are followed once, here. */
  readonly directory: string;
  /**
   * Makes the check of who owns and may write a path and all that leads to it, anew for each pass. Default: nothing is refused because of its
   * owner.
   */
  readonly createOwnerCheck?: (directory: string) => (path: string) => Refusal | undefined;
  readonly limits?: Partial<ReachLimits>;
}

/** The hash of a file, and when it was made. */
export type Hashed = Pick<Content, 'stamp' | 'sha256'>;

/** Files whose bytes are kept until the end of a pass, because their imports may be looked up. */
const maxKept = 256 * 1024;
/** The maximum number of names that are read of a folder in which modules are looked up. */
const maxNames = 5_000;
/** The maximum number of paths that are looked up in one pass. */
const maxLookups = 200_000;

/** What is known of the files of one project, for all of its hooks: each file is read once, and again only if its stamp differs. */
export class ReachProject {
  /** The real path of the project directory. */
  readonly directory: string;
  readonly limits: ReachLimits;
  readonly #createOwnerCheck: NonNullable<ProjectOptions['createOwnerCheck']>;
  readonly #hashes = new Map<string, Hashed>();
  #bytes = 0;
  #ownerCheck: (path: string) => Refusal | undefined = () => undefined;
  #passes = 0;
  readonly #kept = new Map<string, Content>();
  readonly #places = new Map<string, Place>();
  readonly #findings = new Map<string, Findings>();
  readonly #isFolder = new Map<string, boolean>();
  readonly #folders = new Map<string, Folder | string>();
  readonly #names = new Map<string, ReadonlySet<string> | undefined>();
  readonly #refusals = new Map<string, Refusal | undefined>();

  constructor({ directory, createOwnerCheck, limits }: ProjectOptions) {
    this.directory = realProject(directory);
    this.limits = { ...defaultReachLimits, ...limits };
    this.#createOwnerCheck = createOwnerCheck ?? (() => () => undefined);
  }

  /**
   * Runs a function that sees one state of the files: what it has examined is not examined again until it returns. A pass within a pass is a
   * part of it. Load all hooks of a project in one pass.
   */
  pass<Result>(run: () => Result): Result {
    if (this.#passes === 0) this.#ownerCheck = this.#createOwnerCheck(this.directory);
    this.#passes += 1;
    try {
      return run();
    } finally {
      this.#passes -= 1;
      if (this.#passes === 0) this.#forget();
    }
  }

  #forget(): void {
    for (const cache of [this.#kept, this.#places, this.#findings, this.#isFolder, this.#folders, this.#names, this.#refusals])
      cache.clear();
  }

  /** The path relative to the project directory with `/` between its parts, `''` for the directory itself, or undefined outside of it. */
  relative(path: string): string | undefined {
    if (path === this.directory) return '';
    const prefix = this.directory.endsWith(sep) ? this.directory : this.directory + sep;
    return path.startsWith(prefix) ? path.slice(prefix.length).replaceAll(sep, '/') : undefined;
  }

  /** Where an absolute path leads. Undefined if the pass has looked up as many paths as it may. */
  locate(path: string): Place | undefined {
    const known = this.#places.get(path);
    if (known !== undefined || this.#places.size >= maxLookups) return known;
    let place = locate(path, this.isFolder);
    // On systems that ignore the case of names, two spellings are one file.
    if (place.stats !== undefined && (process.platform === 'darwin' || process.platform === 'win32')) {
      place = { ...place, path: realpathSync.native(place.path) };
    }
    this.#places.set(path, place);
    return place;
  }

  isFolder = (path: string): boolean => {
    let known = this.#isFolder.get(path);
    if (known === undefined) {
      known = statsOf(path)?.isDirectory() === true;
      this.#isFolder.set(path, known);
    }
    return known;
  };

  refusalOf(path: string): Refusal | undefined {
    if (!this.#refusals.has(path)) this.#refusals.set(path, this.#ownerCheck(path));
    return this.#refusals.get(path);
  }

  /** Hashes a regular file. Returns a sentence if it is not read. */
  hash(path: string, stamp: NonNullable<Stamp>): Hashed | string {
    const known = this.#hashes.get(path);
    if (known !== undefined && isSameStamp(known.stamp, stamp)) return known;
    const content = this.#read(path, known, Number(stamp.size));
    return typeof content === 'string' ? content : { stamp: content.stamp, sha256: content.sha256 };
  }

  /** The bytes of a file of which `hash` returned the hash. Undefined if it changed, or is too large for a script. */
  bytesOf(path: string, { sha256 }: Hashed): Uint8Array | undefined {
    const content = this.#kept.get(path) ?? readContent(path, maxKept);
    if (content?.sha256 !== sha256) return undefined;
    this.#kept.set(path, content);
    return content.bytes;
  }

  #read(path: string, known: Hashed | undefined, size: number): Content | string {
    const before = Number(known?.stamp.size ?? 0);
    if (known === undefined && this.#hashes.size >= this.limits.projectFiles)
      return `The hooks of the project reach more than ${this.limits.projectFiles} files.`;
    if (this.#bytes - before + size > this.limits.projectBytes)
      return `The hooks of the project reach more than ${this.limits.projectBytes} bytes.`;
    const content = readContent(path, this.limits.bytes);
    if (content === undefined)
      return `${JSON.stringify(this.relative(path) ?? path)} cannot be read as a file of at most ${this.limits.bytes} bytes.`;
    this.#hashes.set(path, { stamp: content.stamp, sha256: content.sha256 });
    this.#bytes += Number(content.stamp.size) - before;
    if (content.bytes.length <= maxKept) this.#kept.set(path, content);
    return content;
  }

  /** The findings of a text that several hooks reach, as long as a pass goes. */
  remember(key: string, read: () => Findings): Findings {
    let findings = this.#findings.get(key);
    if (findings === undefined) {
      findings = read();
      this.#findings.set(key, findings);
    }
    return findings;
  }

  /** Everything below a folder, or a sentence if it is too much. */
  folder(path: string): Folder | string {
    let folder = this.#folders.get(path);
    if (folder === undefined) {
      folder = readFolder(path, this);
      this.#folders.set(path, folder);
    }
    return folder;
  }

  /** The names in a folder, in their order. Undefined if it cannot be read or has too many. */
  namesIn(path: string): ReadonlySet<string> | undefined {
    if (!this.#names.has(path)) {
      const names = readNames(path, maxNames);
      this.#names.set(path, names && new Set(names));
    }
    return this.#names.get(path);
  }
}
