import { dirname, sep } from 'node:path';
import { type OpenReason, OpenReasons } from '../open-reasons.js';
import type { Reach, ReachedEntry, Refusal } from '../reach.js';
import { Evidence } from './evidence.js';
import { isKernelFile, type Place } from './locate.js';
import type { Hashed, ReachProject } from './project.js';
import { isExecutable, notRegular } from './read-folder.js';
import { type Stamp, statsOf } from './stamp.js';

/** The maximum number of refusals of one hook. */
const maxRefusals = 50;

/** A file of the project that a hook uses. */
export interface ReachedFile {
  /** Its real path. */
  readonly path: string;
  readonly hashed: Hashed;
}

/** Collects the files, folders, links and missing names that one hook uses, each once, up to the limits of one hook. */
export class Collector {
  readonly project: ReachProject;
  readonly open = new OpenReasons();
  /**
   * The stamps of all files and folders on which the result depends. A stamp is the size, the times and the identity of a file (`Stamp`).
   */
  readonly stamps = new Map<string, Stamp>();
  /** What was read of these files and folders. */
  readonly evidence = new Evidence();
  dependsOnDirectory = false;
  readonly #entries = new Map<string, ReachedEntry>();
  readonly #refusals = new Map<string, Refusal>();
  readonly #folders = new Set<string>();
  readonly #counted = new Set<string>();
  #bytes = 0;

  constructor(project: ReachProject) {
    this.project = project;
  }

  openFor(reason: string, kind?: OpenReason['kind']): void {
    this.open.add(reason, kind);
  }

  reach(): Reach {
    const entries = [...this.#entries.values()].sort((one, other) => (one.path < other.path ? -1 : 1));
    const refusals = [...this.#refusals.values()].sort((one, other) => (one.path < other.path ? -1 : 1));
    return { entries, open: this.open.list(), refusals, dependsOnDirectory: this.dependsOnDirectory };
  }

  /** Returns where an absolute path leads. Undefined if too many paths were searched. */
  locate(path: string): Place | undefined {
    const place = this.project.locate(path);
    if (place === undefined) this.openFor('The hooks of the project refer to too many paths. Not all of them are looked up.');
    return place;
  }

  /** Adds the links on the path to a file, if they are in the project. */
  addLinks({ links, isLoop }: Place): void {
    for (const { path, target } of links) {
      const relative = this.project.relative(path);
      if (relative === undefined) continue;
      this.stamps.set(path, statsOf(path));
      this.evidence.link(path, target);
      this.#entries.set(relative, { path: relative, kind: 'link', target });
    }
    if (isLoop && links[0] !== undefined) this.openFor(`The link ${this.#shown(links[0].path)} leads to itself.`);
  }

  /** Adds a name that does not exist. */
  addAbsent(path: string): void {
    const relative = this.project.relative(path);
    if (relative === undefined || relative === '' || path.length > 4_000) return;
    this.stamps.set(path, undefined);
    if (!this.isCovered(path)) this.#entries.set(relative, { path: relative, kind: 'absent' });
  }

  /** Adds a path that does not exist: its links, and the missing name. */
  addMissing(place: Place): void {
    this.addLinks(place);
    if (!place.isLoop) this.addAbsent(place.path);
  }

  /** Records a folder in which names were searched, so that a new name in it is noticed. */
  watch(path: string): void {
    if (!this.stamps.has(path)) this.stamps.set(path, statsOf(path));
    this.evidence.names(path, this.project.namesIn(path));
  }

  /**
   * Adds a file. A file in a folder that was added as a whole gets its own entry only if the command names it. Returns undefined if the
   * file is outside of the project, not a regular file, or beyond a limit.
   */
  addFile(place: Place, isNamed: boolean): ReachedFile | undefined {
    const { path, stats } = place;
    if (stats === undefined) return undefined;
    const relative = this.project.relative(path);
    this.addLinks(place);
    if (relative === undefined) {
      this.#checkOutside(place);
      return undefined;
    }
    this.#check(path);
    for (const link of place.links) this.#check(link.path);
    if (!stats.isFile()) {
      if (stats.isDirectory()) return undefined;
      // The stamp shows when a regular file replaces it.
      this.stamps.set(path, stats);
      this.#refuse(notRegular(path));
      return undefined;
    }
    const hashed = this.#hash(path, stats);
    if (hashed === undefined || isNamed || !this.isCovered(path)) {
      this.stamps.set(path, hashed?.stamp ?? stats);
      if (hashed !== undefined) this.evidence.file(path, hashed.sha256);
      const content = hashed === undefined ? {} : { sha256: hashed.sha256 };
      this.#entries.set(relative, { path: relative, kind: 'file', ...isExecutable(hashed?.stamp ?? stats), ...content });
    }
    return hashed === undefined ? undefined : { path, hashed };
  }

  /** Adds everything below a folder of the project, unless it is the project itself. */
  addFolder(path: string): void {
    const relative = this.project.relative(path);
    if (relative === undefined || relative === '' || this.isCovered(`${path}${sep}x`)) return;
    this.#check(path);
    const folder = this.project.folder(path);
    this.evidence.folder(path, folder);
    if (typeof folder === 'string') {
      this.openFor(folder);
      return;
    }
    const counted = [...folder.stamps.keys()].filter((file) => this.#counted.has(file)).length;
    if (this.#counted.size + folder.files - counted > this.project.limits.files || this.#bytes + folder.bytes > this.project.limits.bytes) {
      this.#openForBounds();
      return;
    }
    this.#bytes += folder.bytes;
    this.#folders.add(path);
    this.#entries.set(relative, { path: relative, kind: 'folder', sha256: folder.sha256 });
    for (const [file, stamp] of folder.stamps) {
      this.stamps.set(file, stamp);
      if (stamp !== undefined && (stamp.mode & 0o170000n) === 0o100000n) this.#counted.add(file);
    }
    for (const reason of folder.open) this.openFor(reason);
    for (const refusal of folder.refusals) this.#refuse(refusal);
    for (const link of folder.links) {
      const place = this.locate(link.path);
      if (place === undefined) continue;
      const isInside = this.project.relative(place.path) !== undefined;
      if (place.isLoop) this.openFor(`The link ${this.#shown(link.path)} leads to itself.`);
      else if (place.stats === undefined) this.addAbsent(place.path);
      else if (isInside && place.stats.isDirectory()) {
        if (this.project.relative(place.path) === '' || path.startsWith(place.path + sep)) {
          this.openFor(`The link ${this.#shown(link.path)} leads to a folder above it, so its content has no end.`);
        } else this.addFolder(place.path);
      } else this.addFile(place, false);
      if (isInside) for (const passed of place.links) if (!this.isCovered(passed.path)) this.addLinks({ ...place, links: [passed] });
    }
  }

  /** Tests whether a path is in a folder that was added as a whole. */
  isCovered(path: string): boolean {
    for (let folder = dirname(path); folder.length >= this.project.directory.length; folder = dirname(folder)) {
      if (this.#folders.has(folder)) return !/[\\/](?:node_modules|\.git|__pycache__)[\\/]/.test(path.slice(folder.length));
      if (folder === dirname(folder)) return false;
    }
    return false;
  }

  #hash(path: string, stats: NonNullable<Place['stats']>): Hashed | undefined {
    if (!this.#counted.has(path)) {
      if (this.#counted.size >= this.project.limits.files || this.#bytes + Number(stats.size) > this.project.limits.bytes) {
        this.#openForBounds();
        return undefined;
      }
      this.#counted.add(path);
      this.#bytes += Number(stats.size);
    }
    const hashed = this.project.hash(path, stats);
    if (typeof hashed !== 'string') return hashed;
    this.openFor(hashed);
    return undefined;
  }

  #openForBounds(): void {
    const { files, bytes } = this.project.limits;
    this.openFor(`The hook uses more than ${files} files or ${bytes} bytes.`);
  }

  /** Checks a file outside of the project. It is not part of the pin, but other users must not be able to write to it. */
  #checkOutside({ path, stats, links }: Place): void {
    if (isKernelFile(path) || stats === undefined || stats.isDirectory()) return;
    if (!stats.isFile()) {
      this.#refuse(notRegular(path));
      return;
    }
    this.#check(path);
    for (const link of links) this.#check(link.path);
  }

  #check(path: string): void {
    const refusal = this.project.refusalOf(path);
    if (refusal !== undefined) this.#refuse(refusal);
  }

  #refuse(refusal: Refusal): void {
    if (this.#refusals.size < maxRefusals) this.#refusals.set(`${refusal.code} ${refusal.path}`, refusal);
  }

  #shown(path: string): string {
    return JSON.stringify(this.project.relative(path) ?? path);
  }
}
