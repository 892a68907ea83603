import { lstatSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeOf } from '@tenterhook/runtime/text';

/** A directory of mode 0700 for files that only this inspector and its browser read. */
export interface PrivateDirectory {
  readonly path: string;
  /** Removes the directory with its files. Idempotent. Also done when the process exits. */
  remove(): void;
}

const prefix = 'tenterhook-inspect-';

/** The namespace of process ids. A container that shares the directory has another one, in which the same number is another process. */
function pidNamespace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0';
  } catch {
    return '0';
  }
}

/** Creates a directory. Removes those of inspectors that were killed, because they could not do it. */
export function createPrivateDirectory(): PrivateDirectory {
  removeLeftovers();
  const path = mkdtempSync(join(tmpdir(), `${prefix}${pidNamespace()}-${process.pid}-`));
  const remove = () => {
    process.off('exit', remove);
    rmSync(path, { recursive: true, force: true });
  };
  process.on('exit', remove);
  return { path, remove };
}

function removeLeftovers(): void {
  const own = new RegExp(`^${prefix}${pidNamespace()}-([1-9]\\d{0,9})-`);
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(own.exec(name)?.[1] ?? 0);
    if (pid === 0 || pid === process.pid || isAlive(pid)) continue;
    const path = join(tmpdir(), name);
    try {
      const found = lstatSync(path);
      // A link, or a directory of another user, is not ours to remove.
      if (found.isDirectory() && found.uid === process.getuid?.()) rmSync(path, { recursive: true, force: true });
    } catch {
      // Another inspector has removed it meanwhile.
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
}
