import { readlinkSync } from 'node:fs';
import { readProcStat } from './proc-stat.js';

/** `tenterhook-<pid>-<start time>-<pid namespace>-…`; 0 where there is no /proc. */
export const ownerPattern = /^tenterhook-(\d+)-(\d+)-(\d+)-/;

/**
 * Names our process for the directory. The pid alone would not do: containers often share /dev/shm and not their pids, so a living service
 * would look dead; and in a container that is started again its pids are the same, so a dead one would look alive.
 */
export function describeOwner(): string {
  return `${process.pid}-${readProcStat(process.pid)?.startTime || '0'}-${readNamespace()}`;
}

/** Whether the process that made a directory of this name is known to be gone. Of another pid namespace nothing is known. */
export function isOwnerDead([, pid = '', startTime = '', namespace = '']: RegExpExecArray): boolean {
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
