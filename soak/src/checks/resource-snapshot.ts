import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { daemonMark } from '../load/hook-kinds/hook-kind.js';

/** A process of a hook, which was found by a variable in its environment. */
export interface FoundProcess {
  readonly pid: number;
  readonly command: string;
  /** True if a hook left it behind on purpose. */
  readonly isDaemon: boolean;
}

/** Returns every other process whose environment contains this text, in any group and with any parent. */
export function findProcesses(mark: string): FoundProcess[] {
  const found: FoundProcess[] = [];
  for (const entry of readdirSync('/proc')) {
    const pid = Number(entry);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
      if (!environment.includes(mark)) continue;
      const command = readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ').trim();
      found.push({ pid, command, isDaemon: environment.includes(daemonMark) });
    } catch {
      // The process has ended in the meantime, or belongs to another user.
    }
  }
  return found;
}

/** Returns the directories that the spawners of this process have created, in any of their possible places. */
export function findPrivateDirectories(): string[] {
  const bases = new Set([process.env['XDG_RUNTIME_DIR'] ?? '', '/dev/shm', tmpdir()].filter((base) => base !== ''));
  return [...bases].flatMap((base) => {
    try {
      const own = readdirSync(base).filter((name) => name.startsWith(`tenterhook-${process.pid}-`));
      return own.map((name) => `${base}/${name}`);
    } catch {
      return [];
    }
  });
}

/** The resources that this process uses. */
export interface ResourceSnapshot {
  readonly descriptors: number;
  readonly heapBytes: number;
  /** How many handles of each type keep the event loop active. */
  readonly handles: Readonly<Record<string, number>>;
}

export async function takeResourceSnapshot(collectGarbage: () => void): Promise<ResourceSnapshot> {
  // Collects twice, with a turn of the event loop after each: the second time collects what finalizers have released.
  for (let time = 0; time < 2; time += 1) {
    collectGarbage();
    await wait(10);
  }
  const { heapUsed, external } = process.memoryUsage();
  const handles: Record<string, number> = {};
  for (const type of process.getActiveResourcesInfo()) handles[type] = (handles[type] ?? 0) + 1;
  // One descriptor belongs to the reading of the folder itself.
  return { descriptors: readdirSync('/proc/self/fd').length - 1, heapBytes: heapUsed + external, handles };
}
