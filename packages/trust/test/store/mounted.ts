import { spawnSync } from 'node:child_process';

/**
 * Mounts a small file system in memory, so that a test has a full or read-only disk of its own. Returns whether it did: only root may, and
 * not in every container.
 */
export function mountDisk(folder: string, bytes: number): boolean {
  if (process.platform !== 'linux' || process.geteuid?.() !== 0) return false;
  return spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes},mode=0700`, 'tmpfs', folder]).status === 0;
}

export function makeReadOnly(folder: string): void {
  spawnSync('mount', ['-o', 'remount,ro', folder]);
}

export function unmountDisk(folder: string): void {
  spawnSync('umount', [folder]);
}
