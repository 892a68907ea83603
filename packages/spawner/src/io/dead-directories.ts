import { lstatSync, opendirSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readProcStat } from '../kill/job-processes.js';

/**
 * The maximum number of names to read. Every user can create names in /dev/shm and in the temporary directory. Reading all of them could
 * block the agent for seconds.
 */
const mostNames = 2000;

/** Removes private directories whose process has ended. If there are more than the limit, the rest is left for a later spawner. */
export function removeDeadDirectories(base: string): void {
  for (const name of firstNames(base)) {
    const owner = ownerPattern.exec(name);
    if (owner === null) continue;
    const path = join(base, name);
    try {
      const found = lstatSync(path);
      // The owner of the directory is checked first, because other users can create many directories with such names, and checking the
      // process takes longer.
      const isOurs = found.isDirectory() && found.uid === (process.getuid?.() ?? found.uid);
      if (isOurs && isOwnerDead(owner)) rmSync(path, { recursive: true, force: true });
    } catch {
      // Another service has already removed it.
    }
  }
}

function firstNames(base: string): readonly string[] {
  const names: string[] = [];
  const directory = opendirSync(base, { bufferSize: 256 });
  try {
    for (let entry = directory.readSync(); entry !== null && names.length < mostNames; entry = directory.readSync()) names.push(entry.name);
  } finally {
    directory.closeSync();
  }
  return names;
}

/** The name of a private directory: `tenterhook-<pid>-<start time>-<pid namespace>-…`. The last two numbers are 0 if there is no /proc. */
const ownerPattern = /^tenterhook-(\d+)-(\d+)-(\d+)-/;

/**
 * Identifies our process in the name of its directory. The pid alone is not enough. Containers often share /dev/shm but have their own
 * pids, so a running process of another container would look dead. A restarted container uses the same pids again, so a dead process would
 * look alive.
 */
export function describeOwner(): string {
  return `${process.pid}-${readProcStat(process.pid)?.startTime || '0'}-${readNamespace()}`;
}

/**
 * Whether the process that created a directory has certainly ended. For a process of another pid namespace this cannot be known, so the
 * result is false.
 */
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
