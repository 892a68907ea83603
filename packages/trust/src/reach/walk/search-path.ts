import { delimiter, isAbsolute, sep } from 'node:path';
import type { Collector } from '../files/collector.js';
import type { Place } from '../files/locate.js';

/** The folders in which programs without a path are looked up. */
export class SearchPath {
  readonly #folders: readonly string[];
  readonly #to: Collector;
  readonly #directory: string;
  #inProject: string[] | undefined;

  /** `path`: the value of PATH. `directory`: the directory against which relative and empty entries are resolved. */
  constructor(path: string | undefined, to: Collector, directory: string) {
    this.#folders = (path ?? '/').split(delimiter);
    this.#to = to;
    this.#directory = directory;
  }

  /** Adds a folder that a command adds to PATH. */
  add(folder: string): void {
    const place = this.#to.locate(folder);
    if (place !== undefined && this.#isInProject(place.path)) this.inProject().push(folder);
  }

  /** The folders that lie in the project. */
  inProject(): string[] {
    if (this.#folders.some((folder) => !isAbsolute(folder))) this.#to.dependsOnDirectory = true;
    this.#inProject ??= this.#folders
      .map((folder) => (isAbsolute(folder) ? folder : this.#directory + sep + folder))
      .filter((folder) => this.#isInProject(this.#to.locate(folder)?.path ?? ''));
    return this.#inProject;
  }

  /** Finds a program outside of the project. */
  findOutside(name: string): Place | undefined {
    for (const folder of this.#folders.filter(isAbsolute)) {
      const place = this.#to.locate(folder + sep + name);
      if (place?.stats?.isFile() && !this.#isInProject(place.path)) return place;
    }
    return undefined;
  }

  #isInProject(path: string): boolean {
    return this.#to.project.relative(path) !== undefined;
  }
}
