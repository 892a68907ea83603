import { lstatSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TenterhookError } from '@tenterhook/protocol';
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

/**
 * Creates a directory. Removes those of inspectors that were killed, because they could not do it. Throws a TenterhookError with the code
 * `no_directory` if the directory for temporary files cannot be used.
 */
export function createPrivateDirectory(): PrivateDirectory {
  removeLeftovers();
  const path = makeDirectory();
  const remove = () => {
    process.off('exit', remove);
    rmSync(path, { recursive: true, force: true });
  };
  process.on('exit', remove);
  return { path, remove };
}

function makeDirectory(): string {
  try {
    return mkdtempSync(join(tmpdir(), `${prefix}${pidNamespace()}-${process.pid}-`));
  } catch (cause) {
    throw unusableDirectory(cause);
  }
}

/** The error if a private file cannot be made. Node takes the directory from `TMPDIR`. */
export function unusableDirectory(cause: unknown): TenterhookError {
  const message = `No file can be made in ${tmpdir()} (${String(codeOf(cause))}), and the inspector needs private files. Set TMPDIR to a directory in which you can make files.`;
  return new TenterhookError('no_directory', message, { cause });
}

function removeLeftovers(): void {
  const own = new RegExp(`^${prefix}${pidNamespace()}-([1-9]\\d{0,9})-`);
  for (const name of namesIn(tmpdir())) {
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

/** A directory may allow to create files and not to list them. */
function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
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
