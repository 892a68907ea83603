import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder } from './private-files.js';

/** A project that may have a record of some content. */
export interface IndexedRecord {
  /** The name of the project's folder in the store. */
  readonly project: string;
  readonly pin: string;
}

const name = /^([0-9a-f]{64})\.([0-9a-f]{64})$/;

/**
 * Finds the projects that have a record with the same content, without reading the folders of all projects. For each record there is an
 * empty file `content/<content hash>/<project hash>.<pin>`. The index is used only to name other projects that trust a hook. So an error
 * in this class does not make a decision fail.
 */
export class ContentIndex {
  readonly #folder: string;

  constructor(store: string) {
    this.#folder = join(store, 'content');
  }

  add(content: string, { project, pin }: IndexedRecord): void {
    try {
      writeFileSync(join(makePrivateFolder(join(this.#folder, content)), `${project}.${pin}`), '', { flag: 'wx', mode: 0o600 });
    } catch {
      // Either the file exists already, or it cannot be written. Both are ignored.
    }
  }

  remove(content: string, { project, pin }: IndexedRecord): void {
    try {
      rmSync(join(this.#folder, content, `${project}.${pin}`), { force: true });
    } catch {
      // An entry without its record is ignored.
    }
  }

  find(content: string): IndexedRecord[] {
    try {
      return readdirSync(join(this.#folder, content))
        .sort()
        .flatMap((file) => {
          const [, project, pin] = name.exec(file) ?? [];
          return project === undefined || pin === undefined ? [] : [{ project, pin }];
        });
    } catch {
      return [];
    }
  }
}
