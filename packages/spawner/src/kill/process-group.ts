import { win32 } from 'node:path';
import { spawnProcess } from '../run/spawn-process.js';

/**
 * Whether a process of the group is left, including processes that have ended but are not reaped. It checks the group itself, because
 * `child.killed` only means that a signal was sent (field failure 30).
 */
export function isGroupAlive(group: number): boolean {
  try {
    process.kill(process.platform === 'win32' ? group : -group, 0);
    return true;
  } catch (error) {
    // EPERM: a process is left that we may not kill (sudo). On macOS it also means that only unreaped processes are left, so the group is gone.
    return (error as NodeJS.ErrnoException).code === 'EPERM' && process.platform !== 'darwin';
  }
}

/** A group that is gone, or that we may not signal, is not an error: the caller checks the effect. */
export function signalGroup(group: number, signal: NodeJS.Signals): void {
  // kill(-1) reaches every process and kill(-0) our own group: a bug elsewhere must not cause that.
  if (!Number.isSafeInteger(group) || group <= 1) throw new RangeError(`${group} is not a process group of a job`);
  // Windows has neither groups nor signals: there the whole tree is ended, always by force.
  if (process.platform === 'win32') endTreeOnWindows(group);
  else signalProcess(-group, signal);
}

/** The same for one process (a negative number is a group, as for the kernel). */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {}
}

const treesBeingEnded = new Set<number>();

/**
 * Ends a process and all its descendants on Windows. In the background, because waiting for it has blocked hosts for seconds; and by its absolute
 * path, so that a project cannot plant a `taskkill` (field failure 37). Always forced: a process without a window cannot be asked to end.
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
