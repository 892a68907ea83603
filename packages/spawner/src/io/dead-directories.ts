import { lstatSync, opendirSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readProcStat } from '../kill/job-processes.js';

/**
 * The maximum number of names to read. Every user can create names in /dev/shm and in the temporary directory. Reading millions of names
 * would block the agent for seconds.
 */
const mostNames = 2000;

/** Removes private directories whose process has ended. Reads at most `mostNames` names; later spawners remove the rest. */
export function removeDeadDirectories(base: string): void {
  for (const name of firstNames(base)) {
    const owner = ownerPattern.exec(name);
    if (owner === null) continue;
    const path = join(base, name);
    try {
      const found = lstatSync(path);
      // Checking the process is slow, and other users can create many directories with such names. So the owner is checked first.
      const isOurs = found.isDirectory() && found.uid === (process.getuid?.() ?? found.uid);
      if (isOurs && isOwnerDead(owner)) rmSync(path, { recursive: true, force: true });
    } catch {
      // Another service has already removed the directory.
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

/**
 * The name of a private directory: `tenterhook-<pid>-<start time>-<pid namespace>-…`. Without /proc, the start time and the namespace are
 * 0.
 */
const ownerPattern = /^tenterhook-(\d+)-(\d+)-(\d+)-/;

/**
 * Identifies our process in the name of its directory. The pid alone is not enough, because containers may share /dev/shm:
 * - Another container has its own pids. Without the namespace, its running process would look dead.
 * - A restarted container uses the same pids again. Without the start time, a dead process would look alive.
 */
export function describeOwner(): string {
  return `${process.pid}-${readProcStat(process.pid)?.startTime || '0'}-${readNamespace()}`;
}

/**
 * Tests whether the process that created a directory has certainly ended. Returns false for a process of another pid namespace, because its
 * state cannot be read.
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
