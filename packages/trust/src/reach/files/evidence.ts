import { targetOf } from './locate.js';
import type { ReachProject } from './project.js';
import { readContent } from './read-content.js';
import type { Folder } from './read-folder.js';
import type { Stamp } from './stamp.js';

/** The maximum size of a script of the user in bytes. */
const maxOwn = 256 * 1024;

/**
 * What was read of each path with a stamp. Right after a change, the next change may leave the stamp as it is. Then what was read is
 * compared, because searching all files again takes ten times as long.
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
   * Tests that everything that was read is the same, and that no owner is refused. `stamps` are those of the paths, which have not changed.
   * Also returns false if a path has a stamp and nothing else is known of it, e.g. because it is a file beyond the limits.
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
  // A name contains no slash.
  return names === undefined ? '/' : [...names].join('/');
}

function summaryOf(folder: Folder | string): string {
  if (typeof folder === 'string') return folder;
  const { sha256, open, refusals } = folder;
  return JSON.stringify([sha256, open, refusals.map(({ code, path }) => [code, path])]);
}
