import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where a rig listens. */
export interface RigSocket {
  readonly path: string;
  /** Removes what was made for it. Never throws because it is gone. */
  remove(): void;
}

/** The address of a unix socket has room for 104 bytes on macOS and 108 on Linux, and 'hook-rig-XXXXXX/socket' comes behind the directory. */
const maxDirectoryBytes = 80;

/** A unix socket in a directory that only our user can enter; on Windows a named pipe with a name that nobody can guess. */
export function makeRigSocket(temporary = tmpdir()): RigSocket {
  if (process.platform === 'win32') return { path: `\\\\.\\pipe\\hook-rig-${randomUUID()}`, remove: () => {} };
  const base = Buffer.byteLength(temporary) > maxDirectoryBytes ? '/tmp' : temporary;
  const directory = mkdtempSync(join(base, 'hook-rig-'));
  return { path: join(directory, 'socket'), remove: () => rmSync(directory, { recursive: true, force: true }) };
}
