import { lstatSync, opendirSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readProcStat } from '../kill/job-processes.js';

/** Every user can create names in /dev/shm and in the temporary directory, so that reading all of them would block the agent for seconds. */
const mostNames = 2000;

/** Removes private directories of owners that are gone. What is beyond the limit stays for a later service. */
export function removeDeadDirectories(base: string): void {
  for (const name of firstNames(base)) {
    const owner = ownerPattern.exec(name);
    if (owner === null) continue;
    const path = join(base, name);
    try {
      const found = lstatSync(path);
      // First, because other users can create many such names, and to look for their owners takes longer.
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
