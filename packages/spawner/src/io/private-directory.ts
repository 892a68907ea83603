import { lstatSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeOwner, isOwnerDead, ownerPattern } from '../directory-owner.js';
import { isTransient } from '../retry-transient.js';

/** A base with less than this is passed over: a full disk takes no input of a few megabytes. */
const leastFreeBytes = 16 * 1024 * 1024;

/** None of the places can hold the private directory; the message says why for each. */
export class NoPrivateDirectory extends Error {
  static {
    NoPrivateDirectory.prototype.name = 'NoPrivateDirectory';
  }
}

/**
 * The directory of the inputs that jobs read, and of the names of pipes that no job has taken yet: mode 0700, so the directory protects the files and nobody's umask is touched.
 * Made at first use, made again if somebody removed it (logging out empties $XDG_RUNTIME_DIR and /dev/shm), gone after remove().
 */
export class PrivateDirectory {
  #path: string | undefined;

  /** Its absolute path. Throws NoPrivateDirectory, or the errno of what the machine is short of. */
  open(): string {
    if (this.#path !== undefined && statSync(this.#path, { throwIfNoEntry: false }) !== undefined) return this.#path;
    this.#path = createDirectory();
    return this.#path;
  }

  /** Synchronous, because it is also used while our process exits. Never throws: what stays is removed by the next service (it finds a dead owner). */
  remove(): void {
    if (this.#path === undefined) return;
    try {
      rmSync(this.#path, { recursive: true, force: true, maxRetries: 2 });
    } catch {}
    this.#path = undefined;
  }
}

function createDirectory(): string {
  const refusals: string[] = [];
  for (const base of bases()) {
    try {
      const room = statfsSync(base);
      if (room.bavail * room.bsize < leastFreeBytes) {
        refusals.push(`${base}: less than ${leastFreeBytes} bytes free`);
        continue;
      }
      removeDeadDirectories(base);
      const path = mkdtempSync(join(base, `tenterhook-${describeOwner()}-`));
      const refusal = findFault(path);
      if (refusal === undefined) return path;
      refusals.push(refusal);
    } catch (error) {
      // The place is good; it is the machine that is short of something, perhaps only now.
      if (isTransient(error)) throw error;
      refusals.push(`${base}: ${(error as Error).message}`);
    }
  }
  throw new NoPrivateDirectory(
    `no place for a private directory (${refusals.join('; ')}): set XDG_RUNTIME_DIR or TMPDIR to a directory of yours`,
  );
}

/** Memory first: the files live for milliseconds. */
function bases(): string[] {
  const runtime = process.env['XDG_RUNTIME_DIR'];
  return [...(runtime ? [runtime] : []), ...(process.platform === 'linux' ? ['/dev/shm'] : []), tmpdir()];
}

/** mkdtemp promises the mode, a strange umask or file system may not keep it; the base may be somebody else's. */
function findFault(path: string): string | undefined {
  if (process.platform === 'win32') return undefined;
  const found = lstatSync(path);
  if (found.uid !== process.getuid?.()) return `${path} belongs to user ${found.uid}`;
  if ((found.mode & 0o777) !== 0o700) return `${path} has the mode ${(found.mode & 0o777).toString(8)}, not 700`;
  return undefined;
}

function removeDeadDirectories(base: string): void {
  for (const name of readdirSync(base)) {
    const owner = ownerPattern.exec(name);
    if (owner === null || !isOwnerDead(owner)) continue;
    const path = join(base, name);
    try {
      const found = lstatSync(path);
      if (found.isDirectory() && found.uid === (process.getuid?.() ?? found.uid)) rmSync(path, { recursive: true, force: true });
    } catch {
      // Another service of ours was faster.
    }
  }
}
