import { readFileSync } from 'node:fs';

/**
 * SIGKILL to a process of the rig with this socket. A process told its number itself, from inside whatever sandbox it runs in, so on Linux its
 * arguments are looked at before: a number that means another process here must not be its death.
 */
export function endProcess(pid: number, socketPath: string): void {
  try {
    if (process.platform === 'linux' && !readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(socketPath)) return;
    process.kill(pid, 'SIGKILL');
  } catch {
    // Gone, or not ours to kill: the end of its connection makes it end itself.
  }
}
