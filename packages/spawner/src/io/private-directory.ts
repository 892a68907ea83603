import { lstatSync, mkdtempSync, rmSync, statfsSync, statSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isTransient } from '../run/spawn-process.js';
import { describeOwner, removeDeadDirectories } from './dead-directories.js';

/** A base directory with less free space than this is tried last. Inputs may have a few megabytes. */
const leastFreeBytes = 16 * 1024 * 1024;

/** For files up to this size, the free space of the current directory is not checked. The check would cost every job a system call. */
const smallBytes = 1024 * 1024;

/** Thrown if no base directory has room for a private directory, or for a file in it. The message gives the reason for each base. */
export class NoRoom extends Error {
  static {
    NoRoom.prototype.name = 'NoRoom';
  }
}

/**
 * A private directory for the inputs of jobs and for new pipes, until their names are removed.
 * - Its mode is 0700, which protects the files in it. So the umask of our process need not change.
 * - It is created on first use. It is created again if it was removed, e.g. because logging out emptied $XDG_RUNTIME_DIR.
 * - If its base directory is full, another one is created in the next base. /dev/shm is small in containers, and every user can fill it.
 */
export class PrivateDirectory {
  readonly #bases: () => readonly string[];
  /** The path of the directory in each base that was used. */
  readonly #paths = new Map<string, string>();
  #current: string | undefined;

  constructor(bases: () => readonly string[] = basesOfMachine) {
    this.#bases = bases;
  }

  /**
   * Returns the absolute path of the directory, and creates it if needed. Throws NoRoom, or the errno if the machine is short of a
   * resource.
   */
  open(): string {
    return this.use(0, (path) => path);
  }

  /**
   * Calls `create` with the path of the directory, to create a file of `bytes` bytes there. If `create` throws, calls it again with the
   * directory in the next base. Throws NoRoom if it fails in every base, or the errno if the machine is short of a resource.
   */
  use<Value>(bytes: number, create: (path: string) => Value): Value {
    if (this.#current !== undefined && bytes <= smallBytes) {
      // Most often this works, so nothing is checked before.
      try {
        return create(this.#current);
      } catch (error) {
        if (isTransient(error)) throw error;
      }
    }
    const refusals: string[] = [];
    for (const path of this.paths(bytes, refusals)) {
      try {
        const value = create(path);
        // A large file may fit only on a disk. The current directory then stays the same, so that later small files are in memory.
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
   * Yields the directories to try for a file of `bytes` bytes: the current one, then those in the other bases. Adds the reason to
   * `refusals` for each base that cannot be used.
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
   * Deletes the directories. Synchronous, because it is also called while our process exits. Never throws: the next spawner deletes what is
   * left (`removeDeadDirectories`).
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

  /** Returns the base directories, those with enough free space first. If they fail, those with less space are tried. */
  #inOrder(bytes: number, refusals: string[]): readonly string[] {
    const roomy: string[] = [];
    const others: string[] = [];
    for (const base of new Set(this.#bases())) {
      try {
        const free = freeBytes(base);
        // A base without enough room is left out. Otherwise each job would fill the base to the last byte and then fail.
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

/** Removes files of the directory. Ignores files that are already gone, perhaps with the whole directory. */
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

/** Returns the base directories. Those in memory come first, because the files exist for milliseconds only. */
function basesOfMachine(): readonly string[] {
  const runtime = process.env['XDG_RUNTIME_DIR'];
  return [...(runtime ? [runtime] : []), ...(process.platform === 'linux' ? ['/dev/shm'] : []), tmpdir()];
}

/**
 * Returns why a directory is not private, or undefined if it is. mkdtemp creates it with mode 0700, but an unusual umask or file system may
 * change the mode.
 */
function findFault(path: string): string | undefined {
  if (process.platform === 'win32') return undefined;
  const found = lstatSync(path);
  if (found.uid !== process.getuid?.()) return `${path} belongs to user ${found.uid}`;
  if ((found.mode & 0o777) !== 0o700) return `${path} must have the mode 700, and has ${(found.mode & 0o777).toString(8)}`;
  return undefined;
}
