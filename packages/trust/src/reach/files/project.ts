import { type BigIntStats, realpathSync } from 'node:fs';
import { sep } from 'node:path';
import { realProject } from '../../store/project-path.js';
import type { Findings } from '../command/findings.js';
import { ReadBudget } from '../command/read-budget.js';
import type { Refusal } from '../reach.js';
import { locate, type Place } from './locate.js';
import { type Content, readContent } from './read-content.js';
import { type Folder, readFolder } from './read-folder.js';
import { readNames } from './read-names.js';
import { isSameStamp, isSettled, type Stamp, statsOf, timeSteps } from './stamp.js';

/** Limits how much of a project is read. If a hook uses more, it counts as one that may run code outside of its pin. */
export interface ReachLimits {
  /** The limits of one hook. */
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
  /** The directory of the project. It may contain links. */
  readonly directory: string;
  /**
   * Creates the function that checks who owns a path and who can write to it. Called once for each pass. Without it, no file is refused
   * because of its owner.
   */
  readonly createOwnerCheck?: (directory: string) => (path: string, stats?: BigIntStats) => Refusal | undefined;
  readonly limits?: Partial<ReachLimits>;
}

/** The hash of a file, with the stamp of the file that was hashed. */
export type Hashed = Pick<Content, 'stamp' | 'sha256'>;

/** The maximum size of a script in bytes. Its content is kept until the end of a pass, because its imports may be searched. */
const maxKept = 256 * 1024;
/** The maximum number of names that are read from a folder in which modules are searched. */
const maxNames = 5_000;
/** The maximum number of paths that are searched in one pass. */
const maxLookups = 200_000;

/** What is known of the files of one project, for all its hooks. Each file is read once, and again only if its stamp changes. */
export class ReachProject {
  /** The real path of the project directory. */
  readonly directory: string;
  readonly limits: ReachLimits;
  readonly #createOwnerCheck: NonNullable<ProjectOptions['createOwnerCheck']>;
  readonly #hashes = new Map<string, Hashed & { readonly isSettled: boolean }>();
  #bytes = 0;
  #ownerCheck: ((path: string, stats?: BigIntStats) => Refusal | undefined) | undefined;
  #passes = 0;
  #budgets = { own: new ReadBudget(), repository: new ReadBudget() };
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
   * Runs a function as one pass. Within a pass, nothing is examined twice, so that the function sees one state of the files. Passes may
   * be nested. Load all hooks of a project in one pass.
   */
  pass<Result>(run: () => Result): Result {
    if (this.#passes === 0) this.#budgets = { own: new ReadBudget(), repository: new ReadBudget() };
    this.#passes += 1;
    try {
      return run();
    } finally {
      this.#passes -= 1;
      if (this.#passes === 0) this.#forget();
    }
  }

  /**
   * Returns the budget for the text that this pass parses. The hooks of the user have their own budget. Otherwise a repository could use
   * up the budget, and the user would be asked about their own hooks.
   */
  budgetOf(isOwn: boolean): ReadBudget {
    return isOwn ? this.#budgets.own : this.#budgets.repository;
  }

  #forget(): void {
    this.#ownerCheck = undefined;
    for (const cache of [this.#kept, this.#places, this.#findings, this.#isFolder, this.#folders, this.#names, this.#refusals])
      cache.clear();
  }

  /**
   * Returns the path relative to the project directory, with `/` between its parts. `''` is the directory itself. Returns undefined for a
   * path outside of the directory.
   */
  relative(path: string): string | undefined {
    if (path === this.directory) return '';
    const prefix = this.directory.endsWith(sep) ? this.directory : this.directory + sep;
    return path.startsWith(prefix) ? path.slice(prefix.length).replaceAll(sep, '/') : undefined;
  }

  /** Returns where an absolute path leads. Undefined if the pass has already searched the maximum number of paths. */
  locate(path: string): Place | undefined {
    const known = this.#places.get(path);
    if (known !== undefined || this.#places.size >= maxLookups) return known;
    let place = locate(path, this.isFolder);
    // macOS and Windows ignore the case of names, so two spellings may mean the same file.
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

  refusalOf(path: string, stats?: BigIntStats): Refusal | undefined {
    if (!this.#refusals.has(path)) {
      this.#ownerCheck ??= this.#createOwnerCheck(this.directory);
      this.#refusals.set(path, this.#ownerCheck(path, stats));
    }
    return this.#refusals.get(path);
  }

  /** Hashes a regular file. If the file is not read, returns a sentence with the reason. */
  hash(path: string, stamp: NonNullable<Stamp>): Hashed | string {
    const known = this.#hashes.get(path);
    if (known?.isSettled && isSameStamp(known.stamp, stamp)) return known;
    const content = this.#read(path, known, Number(stamp.size));
    return typeof content === 'string' ? content : { stamp: content.stamp, sha256: content.sha256 };
  }

  /**
   * Returns the bytes of a file that `hash` has hashed. Returns undefined if the file has changed since, or is larger than a script may
   * be.
   */
  bytesOf(path: string, { sha256 }: Hashed): Uint8Array | undefined {
    const content = this.#kept.get(path) ?? readContent(path, maxKept);
    if (content?.sha256 !== sha256) return undefined;
    this.#kept.set(path, content);
    return content.bytes;
  }

  #read(path: string, known: Hashed | undefined, size: number): Content | string {
    const before = Number(known?.stamp.size ?? 0);
    if (known === undefined && this.#hashes.size >= this.limits.projectFiles)
      return `The hooks of the project use more than ${this.limits.projectFiles} files.`;
    if (this.#bytes - before + size > this.limits.projectBytes)
      return `The hooks of the project use more than ${this.limits.projectBytes} bytes.`;
    const readAt = Date.now();
    const content = readContent(path, this.limits.bytes);
    if (content === undefined)
      return `${JSON.stringify(this.relative(path) ?? path)} cannot be read as a file of at most ${this.limits.bytes} bytes.`;
    const { stamp, sha256 } = content;
    this.#hashes.set(path, { stamp, sha256, isSettled: isSettled(stamp, readAt, timeSteps.longest) });
    this.#bytes += Number(content.stamp.size) - before;
    if (content.bytes.length <= maxKept) this.#kept.set(path, content);
    return content;
  }

  /** Returns the findings of a text. Several hooks may use the same text, so the findings are kept until the end of the pass. */
  remember(key: string, read: () => Findings): Findings {
    let findings = this.#findings.get(key);
    if (findings === undefined) {
      findings = read();
      this.#findings.set(key, findings);
    }
    return findings;
  }

  /** Returns everything below a folder, or a sentence with the reason if that is too much. */
  folder(path: string): Folder | string {
    let folder = this.#folders.get(path);
    if (folder === undefined) {
      folder = readFolder(path, this);
      this.#folders.set(path, folder);
    }
    return folder;
  }

  /** Returns the names in a folder, sorted. Undefined if the folder cannot be read or has too many. */
  namesIn(path: string): ReadonlySet<string> | undefined {
    if (!this.#names.has(path)) {
      const names = readNames(path, maxNames);
      this.#names.set(path, names && new Set(names));
    }
    return this.#names.get(path);
  }
}
