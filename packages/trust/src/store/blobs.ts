import { lstatSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../pin/canonical-json.js';
import { readGuardedFile } from '../policy/read-guarded-file.js';
import { judgePrivateFile, judgePrivateFolder, makePrivateFolder, writePrivateFile } from './private-files.js';

/** Larger files are not stored (bytes). */
export const maxBlobBytes = 256 * 1024;
/** The maximum size of all stored files of a project, in bytes. The oldest are removed first. */
export const maxBlobsBytes = 16 * 1024 * 1024;

const hash = /^[0-9a-f]{64}$/;

/**
 * The contents of files at the time when a hook was accepted. `--diff` shows them. No decision depends on them, so on a full disk the
 * decision is stored without them.
 */
export class Blobs {
  readonly #store: string;
  readonly #folder: string;

  constructor(store: string, projectFolder: string) {
    this.#store = store;
    this.#folder = join(projectFolder, 'blobs');
  }

  /** Returns a stored content. Undefined if it does not exist or was changed. */
  read(name: string): Uint8Array | undefined {
    if (!hash.test(name)) return undefined;
    const found = readGuardedFile(join(this.#folder, name), maxBlobBytes, judgePrivateFile);
    return found !== undefined && 'bytes' in found && sha256(found.bytes) === name ? found.bytes : undefined;
  }

  /** Stores contents, and removes the oldest ones beyond the limit. Returns a function that removes what was added. */
  add(contents: ReadonlyMap<string, Uint8Array>): () => void {
    const added: string[] = [];
    const takeBack = () => {
      for (const file of added) rmSync(file, { force: true });
    };
    try {
      makePrivateFolder(this.#folder);
      if (judgePrivateFolder(lstatSync(this.#folder)) !== undefined) return takeBack;
      for (const [name, bytes] of contents) {
        if (bytes.length > maxBlobBytes || sha256(bytes) !== name) continue;
        const file = join(this.#folder, name);
        // The date of a content that is used again is renewed, so that it is not among the oldest.
        if (this.read(name) !== undefined) {
          utimesSync(file, new Date(), new Date());
          continue;
        }
        writePrivateFile(this.#store, file, bytes, false);
        added.push(file);
      }
      this.#removeOldest();
    } catch {
      takeBack();
    }
    return takeBack;
  }

  #removeOldest(): void {
    const kept = readdirSync(this.#folder)
      .map((name) => ({ file: join(this.#folder, name), stats: lstatSync(join(this.#folder, name), { throwIfNoEntry: false }) }))
      .map(({ file, stats }) => ({ file, bytes: stats?.size ?? 0, time: stats?.mtimeMs ?? 0 }))
      .sort((one, other) => one.time - other.time || (one.file < other.file ? -1 : 1));
    let total = kept.reduce((sum, { bytes }) => sum + bytes, 0);
    for (const { file, bytes } of kept) {
      if (total <= maxBlobsBytes) return;
      rmSync(file, { recursive: true, force: true });
      total -= bytes;
    }
  }
}
