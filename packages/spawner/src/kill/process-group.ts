import { win32 } from 'node:path';
import { spawnProcess } from '../run/spawn-process.js';

/**
 * Tests whether the group has a process, including processes that have ended but are not reaped. Asks the system, because `child.killed`
 * only means that a signal was sent (field failure 30).
 */
export function isGroupAlive(group: number): boolean {
  try {
    process.kill(process.platform === 'win32' ? group : -group, 0);
    return true;
  } catch (error) {
    // EPERM: the group has a process that we are not permitted to kill (sudo). On macOS, EPERM can also mean that all its processes have
    // ended but are not reaped. So on macOS the group is treated as gone.
    return (error as NodeJS.ErrnoException).code === 'EPERM' && process.platform !== 'darwin';
  }
}

/**
 * Sends a signal to a group. Does not throw if the group is gone or if we are not permitted to signal it, because callers check the group
 * afterwards.
 */
export function signalGroup(group: number, signal: NodeJS.Signals): void {
  // kill(-1) would signal every process, and kill(-0) our own group. A bug elsewhere must not cause that.
  if (!Number.isSafeInteger(group) || group <= 1) throw new RangeError(`${group} is not a process group of a job`);
  // Windows has neither groups nor signals, so the whole process tree is ended by force.
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
 * 37). Starts `taskkill` by its absolute path, so that a project cannot provide another program with this name. Always uses force, because
 * Windows cannot ask a process without a window to end.
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
