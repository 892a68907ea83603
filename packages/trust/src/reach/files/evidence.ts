import { targetOf } from './locate.js';
import type { ReachProject } from './project.js';
import { readContent } from './read-content.js';
import type { Folder } from './read-folder.js';
import type { Stamp } from './stamp.js';

/** The maximum size of a script of the user in bytes. */
const maxOwn = 256 * 1024;

/**
 * What was read at each path that has a stamp. Two changes in quick succession may leave the same stamp. So if a change is recent, the
 * content is compared with what was read. Searching all files again was rejected, because it takes ten times as long.
 */
export class Evidence {
  /** By path: the hash of a file, the target of a link, the names in a folder, or a summary of everything below it. */
  readonly #files = new Map<string, string>();
  readonly #own = new Map<string, string>();
  readonly #links = new Map<string, string>();
  readonly #names = new Map<string, string>();
  readonly #folders = new Map<string, string>();
  /** Paths below the folders. */
  readonly #below = new Set<string>();

  file(path: string, sha256: string): void {
    this.#files.set(path, sha256);
  }

  /** Records a script of the user outside of the project. */
  ownScript(path: string, sha256: string): void {
    this.#own.set(path, sha256);
  }

  link(path: string, target: string): void {
    this.#links.set(path, target);
  }

  names(path: string, names: ReadonlySet<string> | undefined): void {
    this.#names.set(path, listOf(names));
  }

  folder(path: string, folder: Folder | string): void {
    this.#folders.set(path, summaryOf(folder));
    if (typeof folder !== 'string') for (const below of folder.stamps.keys()) this.#below.add(below);
  }

  /**
   * Tests whether everything is the same as when it was read, and no owner is refused. `stamps` are the stamps of the paths; they have not
   * changed. If only the stamp of a path is known, e.g. because its file is too large, returns false.
   */
  isSame(stamps: ReadonlyMap<string, Stamp>, project: ReachProject): boolean {
    for (const [path, stamp] of stamps) {
      if (stamp === undefined) continue;
      const known = this.#files.get(path);
      if (known !== undefined) {
        const hashed = project.hash(path, stamp);
        if (typeof hashed === 'string' || hashed.sha256 !== known) return false;
      } else if (this.#links.has(path)) {
        if (targetOf(path) !== this.#links.get(path)) return false;
      } else if (this.#own.has(path)) {
        if (readContent(path, maxOwn)?.sha256 !== this.#own.get(path)) return false;
      } else if (!this.#below.has(path) && !this.#names.has(path)) return false;
      if (!this.#below.has(path) && project.refusalOf(path) !== undefined) return false;
    }
    for (const [path, names] of this.#names) if (listOf(project.namesIn(path)) !== names) return false;
    for (const [path, folder] of this.#folders) {
      if (project.refusalOf(path) !== undefined || summaryOf(project.folder(path)) !== folder) return false;
    }
    return true;
  }
}

function listOf(names: ReadonlySet<string> | undefined): string {
  // Names contain no slash, so `/` differs from every list of names.
  return names === undefined ? '/' : [...names].join('/');
}

function summaryOf(folder: Folder | string): string {
  if (typeof folder === 'string') return folder;
  const { sha256, open, refusals } = folder;
  return JSON.stringify([sha256, open, refusals.map(({ code, path }) => [code, path])]);
}
