import { randomBytes } from 'node:crypto';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { removeFiles } from './private-directory.js';

interface SharedFile {
  readonly directory: string;
  readonly path: string;
  users: number;
}

/** A standard input, opened for one job. */
export interface StdinFile {
  readonly fd: number;
  /** Closes our copy of the descriptor, once the process has its own. */
  close(): void;
  /** The job is over. */
  release(): void;
}

/**
 * Standard inputs as files. A pipe would need a writer, and its reader may never read or be gone (EPIPE, waiting). And `cat /dev/stdin` works on a
 * file, but not on Node's pipes, which are sockets (field failure 50).
 * Jobs with the same text share one file, which is written once and removed with its last user. Each job opens it and reads from the start.
 * As root nothing is shared: root may write to a read-only file, and so change the input of other hooks (field failure 71).
 */
export class StdinFiles {
  /** By text. The string of an event is the same object for all its hooks, so it is hashed once. */
  readonly #files = new Map<string, SharedFile>();
  readonly #isSharing: boolean;

  constructor(isSharing = process.getuid?.() !== 0) {
    this.#isSharing = isSharing;
  }

  /** Throws the errno of the file system. */
  open(directory: string, text: string): StdinFile {
    const known = this.#isSharing ? this.#files.get(text) : undefined;
    // The directory may have been removed while a job ran, and created again elsewhere.
    const file = known?.directory === directory ? known : this.#write(directory, text);
    file.users += 1;
    const release = (): void => {
      file.users -= 1;
      if (file.users > 0) return;
      if (this.#files.get(text) === file) this.#files.delete(text);
      removeFiles([file.path]);
    };
    try {
      const fd = openSync(file.path, 'r');
      return { fd, close: () => closeSync(fd), release };
    } catch (error) {
      release();
      throw error;
    }
  }

  #write(directory: string, text: string): SharedFile {
    // Unpredictable: a job that created the file first could keep the next one from its input.
    const path = join(directory, `i${randomBytes(9).toString('hex')}`);
    try {
      // Read-only, also for its owner, so that a hook cannot change the input of the other hooks through /dev/stdin.
      writeFileSync(path, text, { flag: 'wx', mode: 0o400 });
    } catch (error) {
      removeFiles([path]);
      throw error;
    }
    const file = { directory, path, users: 0 };
    if (this.#isSharing) this.#files.set(text, file);
    return file;
  }
}
