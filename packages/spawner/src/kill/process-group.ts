import { endTreeOnWindows } from '../end-tree-on-windows.js';

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
  // Windows has neither groups nor signals: there a tree is ended, and nothing is gentle.
  if (process.platform === 'win32') endTreeOnWindows(group);
  else signalProcess(-group, signal);
}

/** The same for one process (a negative number is a group, as for the kernel). */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {}
}
