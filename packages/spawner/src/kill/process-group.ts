import { win32 } from 'node:path';
import { spawnProcess } from '../run/spawn-process.js';

/**
 * Whether the group has a process, including processes that have ended but are not reaped. The system is asked, because `child.killed` only
 * means that a signal was sent (field failure 30).
 */
export function isGroupAlive(group: number): boolean {
  try {
    process.kill(process.platform === 'win32' ? group : -group, 0);
    return true;
  } catch (error) {
    // EPERM means that the group has a process that we are not permitted to kill (sudo). On macOS it can also mean that all its processes
    // have ended and are not reaped, so on macOS the group is treated as gone.
    return (error as NodeJS.ErrnoException).code === 'EPERM' && process.platform !== 'darwin';
  }
}

/**
 * Sends a signal to a group. It is not an error if the group is gone or if we are not permitted to signal it, because callers check whether
 * it is gone.
 */
export function signalGroup(group: number, signal: NodeJS.Signals): void {
  // kill(-1) signals every process and kill(-0) our own group. A bug elsewhere must not cause that.
  if (!Number.isSafeInteger(group) || group <= 1) throw new RangeError(`${group} is not a process group of a job`);
  // Windows has neither groups nor signals. There the whole process tree is ended by force.
  if (process.platform === 'win32') endTreeOnWindows(group);
  else signalProcess(-group, signal);
}

/** Sends a signal to one process; a negative number is a group, as for the kernel. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {}
}

const treesBeingEnded = new Set<number>();

/**
 * Ends a process and all its descendants on Windows. Does not wait for the result, because waiting blocked hosts for seconds (field failure
 * 37). `taskkill` is started by its absolute path, so that a project cannot provide another program with this name. It always uses force,
 * because a process without a window cannot be asked to end.
 */
function endTreeOnWindows(pid: number, env: NodeJS.ProcessEnv = process.env): void {
  if (treesBeingEnded.has(pid)) return;
  treesBeingEnded.add(pid);
  const root = env['SystemRoot'] ?? 'C:\\Windows';
  void spawnProcess({
    file: win32.join(root, 'System32', 'taskkill.exe'),
    args: ['/PID', String(pid), '/T', '/F'],
    cwd: root,
    env: { SystemRoot: root },
    stdio: ['ignore', 'ignore', 'ignore'],
  }).then(async (start) => {
    // Without taskkill, at least the process itself is ended.
    if ('error' in start) signalProcess(pid, 'SIGKILL');
    else await start.spawned.ended;
    treesBeingEnded.delete(pid);
  });
}
