import { readFileSync } from 'node:fs';

/**
 * The state of a process in /proc: R, S, D (no signal reaches it), T (stopped), Z (not reaped by its parent). Undefined if there is no such
 * process.
 */
export function stateOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.charAt(stat.lastIndexOf(')') + 2);
  } catch {
    return undefined;
  }
}

export function isRunning(pid: number): boolean {
  const state = stateOf(pid);
  return state !== undefined && state !== 'Z' && state !== 'X';
}
