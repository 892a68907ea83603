import { lstatSync, mkdtempSync, readdirSync, readlinkSync, rmSync, statfsSync, statSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readProcStat } from '../kill/job-processes.js';
import { isTransient } from '../run/spawn-process.js';

/** A base with less free space is skipped: inputs may have a few megabytes. */
const leastFreeBytes = 16 * 1024 * 1024;

/** The private directory cannot be created anywhere. The message gives the reason for each place. */
export class NoPrivateDirectory extends Error {
  static {
    NoPrivateDirectory.prototype.name = 'NoPrivateDirectory';
  }
}

/**
 * The directory of the inputs of jobs, and of the pipes that no job has taken yet. It has the mode 0700: the directory protects the files, and the
 * umask of the process is not changed. Created on first use, and again if it was removed (logging out empties $XDG_RUNTIME_DIR and /dev/shm). Gone
 * after remove().
 */
export class PrivateDirectory {
  #path: string | undefined;

  /** Its absolute path. Throws NoPrivateDirectory, or the errno if the machine is short of a resource. */
  open(): string {
    if (this.#path !== undefined && statSync(this.#path, { throwIfNoEntry: false }) !== undefined) return this.#path;
    this.#path = createDirectory();
    return this.#path;
  }

  /** Synchronous, because it is also called while our process exits. Never throws: the next service removes what is left of a dead owner. */
  remove(): void {
    if (this.#path === undefined) return;
    try {
      rmSync(this.#path, { recursive: true, force: true, maxRetries: 2 });
    } catch {}
    this.#path = undefined;
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

function createDirectory(): string {
  const refusals: string[] = [];
  for (const base of bases()) {
    try {
      const room = statfsSync(base);
      if (room.bavail * room.bsize < leastFreeBytes) {
        refusals.push(`${base}: less than ${leastFreeBytes} bytes are free`);
        continue;
      }
      removeDeadDirectories(base);
      const path = mkdtempSync(join(base, `tenterhook-${describeOwner()}-`));
      const refusal = findFault(path);
      if (refusal === undefined) return path;
      refusals.push(refusal);
    } catch (error) {
      // The place is fine, but the machine is short of a resource, perhaps only now.
      if (isTransient(error)) throw error;
      refusals.push(`${base}: ${(error as Error).message}`);
    }
  }
  throw new NoPrivateDirectory(
    `a private directory cannot be created (${refusals.join('; ')}): set XDG_RUNTIME_DIR or TMPDIR to a directory that you own`,
  );
}

/** Memory first: the files live for milliseconds. */
function bases(): string[] {
  const runtime = process.env['XDG_RUNTIME_DIR'];
  return [...(runtime ? [runtime] : []), ...(process.platform === 'linux' ? ['/dev/shm'] : []), tmpdir()];
}

/** mkdtemp promises the mode, but an unusual umask or file system may not keep it, and the base may belong to another user. */
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
      // Another service has already removed it.
    }
  }
}

/** `tenterhook-<pid>-<start time>-<pid namespace>-…`; 0 where there is no /proc. */
const ownerPattern = /^tenterhook-(\d+)-(\d+)-(\d+)-/;

/**
 * Identifies our process in the name of the directory. The pid alone is not enough: containers often share /dev/shm but have their own pids, so a
 * live service would look dead; and a restarted container has the same pids, so a dead service would look alive.
 */
export function describeOwner(): string {
  return `${process.pid}-${readProcStat(process.pid)?.startTime || '0'}-${readNamespace()}`;
}

/** Whether the process that created a directory with this name is known to be gone. Nothing is known about other pid namespaces. */
function isOwnerDead([, pid = '', startTime = '', namespace = '']: RegExpExecArray): boolean {
  if (namespace !== readNamespace()) return false;
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return true;
  }
  const now = readProcStat(Number(pid))?.startTime;
  return now !== undefined && startTime !== '0' && now !== startTime;
}

function readNamespace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0';
  } catch {
    return '0';
  }
}
