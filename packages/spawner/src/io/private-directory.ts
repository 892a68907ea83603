import { lstatSync, mkdtempSync, rmSync, statfsSync, statSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isTransient } from '../run/spawn-process.js';
import { describeOwner, removeDeadDirectories } from './dead-directories.js';

/** A base directory with less free space than this is tried last, because inputs may have a few megabytes. */
const leastFreeBytes = 16 * 1024 * 1024;

/** For a file up to this size, the free space of the current directory is not checked, because this would cost every job a system call. */
const smallBytes = 1024 * 1024;

/** Thrown if no base directory has room for a private directory, or for a file in it. The message has the reason for each base. */
export class NoRoom extends Error {
  static {
    NoRoom.prototype.name = 'NoRoom';
  }
}

/**
 * A private directory for the inputs of jobs and for new pipes, as long as these have names. The files in it are protected by its mode
 * 0700, so the umask of the process need not change. It is created on first use, and again if it was removed, because logging out empties
 * $XDG_RUNTIME_DIR and /dev/shm. If there is no room in its base directory, another private directory is created in the next base: in
 * containers /dev/shm is small, and every user can fill it. `remove()` deletes it.
 */
export class PrivateDirectory {
  readonly #bases: () => readonly string[];
  /** The path of the directory in each base that was used. */
  readonly #paths = new Map<string, string>();
  #current: string | undefined;

  constructor(bases: () => readonly string[] = basesOfMachine) {
    this.#bases = bases;
  }

  /** Creates the directory if needed, and returns its absolute path. Throws NoRoom, or the errno if the machine is short of a resource. */
  open(): string {
    return this.use(0, (path) => path);
  }

  /**
   * Calls `create` with the path of the directory; `create` must create a file of `bytes` bytes there. If this fails, calls it with the
   * directory in the next base. Throws NoRoom if it fails in every base, or the errno if the machine is short of a resource.
   */
  use<Value>(bytes: number, create: (path: string) => Value): Value {
    const refusals: string[] = [];
    for (const path of this.paths(bytes, refusals)) {
      try {
        const value = create(path);
        // A large file that did not fit into memory does not change the current directory, so that later small files are not written to a
        // disk.
        if (bytes <= smallBytes || this.#current === undefined) this.#current = path;
        return value;
      } catch (error) {
        if (isTransient(error)) throw error;
        refusals.push(`${dirname(path)}: ${(error as Error).message}`);
      }
    }
    throw new NoRoom([...new Set(refusals)].join('; '));
  }

  /**
   * The directories to try for a file of `bytes` bytes: the current one, then those in the other bases. For a base that cannot be used, the
   * reason is added to `refusals`.
   */
  *paths(bytes: number, refusals: string[] = []): Generator<string> {
    const current = this.#current;
    const isTried = current !== undefined && exists(current) && (bytes <= smallBytes || freeBytes(current) >= leastFreeBytes + bytes);
    if (isTried) yield current;
    for (const base of this.#inOrder(bytes, refusals)) {
      try {
        const path = this.#openIn(base);
        if (isTried && path === current) continue;
        yield path;
      } catch (error) {
        if (isTransient(error)) throw error;
        refusals.push(`${base}: ${(error as Error).message}`);
      }
    }
  }

  /**
   * Deletes the directories. Synchronous, because it is also called while our process exits. Never throws, because the next spawner removes
   * what is left (`removeDeadDirectories`).
   */
  remove(): void {
    for (const path of this.#paths.values()) {
      try {
        rmSync(path, { recursive: true, force: true, maxRetries: 2 });
      } catch {}
    }
    this.#paths.clear();
    this.#current = undefined;
  }

  /**
   * The bases (the directories in which a private directory can be created), those with enough free space first. The others are tried too,
   * because that is better than not running the job.
   */
  #inOrder(bytes: number, refusals: string[]): readonly string[] {
    const roomy: string[] = [];
    const others: string[] = [];
    for (const base of new Set(this.#bases())) {
      try {
        const free = freeBytes(base);
        // A base without enough room is left out. Trying it would fill it to the last byte, again for each job.
        if (bytes > smallBytes && free < bytes) refusals.push(`${base}: ${free} of ${bytes} bytes are free`);
        else (free >= leastFreeBytes + bytes ? roomy : others).push(base);
      } catch (error) {
        if (isTransient(error)) throw error;
        refusals.push(`${base}: ${(error as Error).message}`);
      }
    }
    return [...roomy, ...others];
  }

  #openIn(base: string): string {
    const known = this.#paths.get(base);
    if (known !== undefined && exists(known)) return known;
    removeDeadDirectories(base);
    const path = mkdtempSync(join(base, `tenterhook-${describeOwner()}-`));
    const fault = findFault(path);
    if (fault !== undefined) throw new Error(fault);
    this.#paths.set(base, path);
    return path;
  }
}

/** Removes files of the directory. A file that is already gone, perhaps with the whole directory, is not an error. */
export function removeFiles(paths: readonly string[]): void {
  for (const path of paths) {
    try {
      unlinkSync(path);
    } catch {}
  }
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

function freeBytes(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}

/** Returns the bases in order. Those in memory come first, because the files exist for milliseconds. */
function basesOfMachine(): readonly string[] {
  const runtime = process.env['XDG_RUNTIME_DIR'];
  return [...(runtime ? [runtime] : []), ...(process.platform === 'linux' ? ['/dev/shm'] : []), tmpdir()];
}

/**
 * Returns why a directory is not private and cannot be used. mkdtemp sets its mode, but an unusual umask or file system may change it, and
 * the base may belong to another user.
 */
function findFault(path: string): string | undefined {
  if (process.platform === 'win32') return undefined;
  const found = lstatSync(path);
  if (found.uid !== process.getuid?.()) return `${path} belongs to user ${found.uid}`;
  if ((found.mode & 0o777) !== 0o700) return `${path} has the mode ${(found.mode & 0o777).toString(8)}, not 700`;
  return undefined;
}
