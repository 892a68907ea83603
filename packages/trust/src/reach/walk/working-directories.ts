import { isAbsolute, sep } from 'node:path';
import type { Collector } from '../files/collector.js';

/** The maximum number of directories in which relative paths are searched. */
const maxDirectories = 8;

/** The directories in which the texts of one hook may run. Relative paths are searched in each of them. */
export class WorkingDirectories {
  readonly #to: Collector;
  readonly #paths: string[];

  /** `cwd`: where the hook starts. `others`: the directories to which an earlier search found that a text changes. */
  constructor(to: Collector, cwd: string, others: readonly string[]) {
    this.#to = to;
    const place = to.locate(cwd);
    if (place !== undefined) to.addLinks(place);
    this.#paths = [...new Set([place?.path ?? cwd, ...others])];
  }

  /** The real paths. The first one is the directory in which the hook starts. */
  get paths(): readonly string[] {
    return this.#paths;
  }

  get first(): string {
    return this.#paths[0] as string;
  }

  /** Returns the absolute paths that a path may mean. */
  candidates(path: string): string[] {
    if (path.includes('\0')) return [];
    return isAbsolute(path) ? [path] : this.#paths.map((directory) => directory + sep + path);
  }

  /** Adds a directory in which the following commands may run, if it may exist. Returns false if there are too many directories. */
  add(path: string): boolean {
    let isFollowed = true;
    for (const [at, candidate] of this.candidates(path).entries()) {
      const place = this.#to.locate(candidate);
      if (place === undefined || this.#paths.includes(place.path)) continue;
      // If folders that do not exist were added, each pass over the texts would add more folders below them.
      if (place.stats === undefined && this.#to.locate(this.#paths[at] as string)?.stats === undefined) continue;
      // The hook may create a directory that does not exist yet.
      if (place.stats === undefined ? !path.includes('/') : !place.stats.isDirectory()) continue;
      if (!isAbsolute(path)) this.#to.dependsOnDirectory = true;
      this.#to.addLinks(place);
      if (this.#paths.length >= maxDirectories) isFollowed = false;
      else this.#paths.push(place.path);
    }
    return isFollowed;
  }
}
