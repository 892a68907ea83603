import { readdirSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { readProcStat } from './proc-stat.js';

/** How many processes are looked at in one turn of the event loop: about a millisecond. */
const slice = 32;

/**
 * Whether anybody of the group is left, ended but unreaped processes included. The group itself is asked, not `child.killed`,
 * which only says that a signal was sent (field failure 30).
 */
export function isGroupAlive(group: number): boolean {
  try {
    process.kill(process.platform === 'win32' ? group : -group, 0);
    return true;
  } catch (error) {
    // EPERM: somebody is there who is not ours to kill (sudo). On macOS it also means that only unreaped processes are left, which is as good as nobody.
    return (error as NodeJS.ErrnoException).code === 'EPERM' && process.platform !== 'darwin';
  }
}

/** A group that is gone, or not ours to signal, is no error: whoever kills looks whether it helped. */
export function signalGroup(group: number, signal: NodeJS.Signals): void {
  // kill(-1) is everybody and kill(-0) is ourselves: whatever mistake led here, it must not go that far.
  if (!Number.isSafeInteger(group) || group <= 1) throw new RangeError(`${group} is no process group of a job`);
  try {
    // Windows has no groups: of a job only the process itself is reached there.
    process.kill(process.platform === 'win32' ? group : -group, signal);
  } catch {}
}

/**
 * Processes of the group that still run: not those that have ended and that nobody reaps, as below a container's init that does not care;
 * these answer `kill(-group, 0)` for ever. Undefined where it cannot be known (no /proc).
 */
export async function countGroup(group: number): Promise<number | undefined> {
  if (process.platform !== 'linux') return undefined;
  let entries: string[];
  try {
    entries = readdirSync('/proc');
  } catch {
    return undefined;
  }
  let count = 0;
  let looked = 0;
  for (const entry of entries) {
    if (!/^\d+$/.test(entry)) continue;
    if (looked > 0 && looked % slice === 0) await nextTurn();
    looked += 1;
    const stat = readProcStat(Number(entry));
    if (stat?.group === group && stat.state !== 'Z' && stat.state !== 'X') count += 1;
  }
  // A /proc that shows nobody, not even us, is not the real one or hides what it has.
  return looked === 0 ? undefined : count;
}
