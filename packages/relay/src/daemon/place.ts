import { existsSync, lstatSync, mkdirSync, type Stats, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { clientBounds } from '../client/client-bounds.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where the daemon listens, or why no place can be used. */
export type DaemonPlace = { readonly folder: string; readonly socket: string } | { readonly folder: string; readonly problem: string };

const { maxPathBytes } = clientBounds;

/**
 * Finds the socket of the daemon. Makes its folder, unless `makes` is false. Everything that an agent does passes through this socket, and its answers decide.
 * So the folder must belong to this user, and no other user may use it. The client in C finds it by the same rules.
 */
export function findDaemonPlace(environment: Environment, makes = true): DaemonPlace {
  const folder = folderOf(environment);
  const socket = join(folder, 'relay-1.sock');
  const problem = problemOf(folder, makes) ?? (Buffer.byteLength(socket) >= maxPathBytes ? 'its path is too long' : undefined);
  return problem === undefined ? { folder, socket } : { folder, problem: `The folder ${folder} cannot be used: ${problem}.` };
}

/** A shell that was started as another user may still name the folder of the first user. It is not used. */
function folderOf({ XDG_RUNTIME_DIR: runtime = '', TMPDIR: temporary = '' }: Environment): string {
  const session = folderAt(runtime);
  if (session !== undefined && session.uid === process.geteuid?.()) return join(runtime, 'tenterhook');
  return join(folderAt(temporary) === undefined ? '/tmp' : temporary, `tenterhook-${process.geteuid?.() ?? 'user'}`);
}

function folderAt(path: string): Stats | undefined {
  try {
    const found = isAbsolute(path) ? statSync(path, { throwIfNoEntry: false }) : undefined;
    return found?.isDirectory() ? found : undefined;
  } catch {
    return undefined;
  }
}

function problemOf(folder: string, makes: boolean): string | undefined {
  if (!makes && !existsSync(folder)) return undefined;
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST') return `it cannot be made (${code})`;
  }
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory() !== true) return 'it is not a folder';
  if (found.uid !== process.geteuid?.()) return `it belongs to another user (uid ${found.uid})`;
  const mode = found.mode & 0o777;
  return (mode & 0o077) === 0 ? undefined : `other users can use it (mode ${mode.toString(8)}). Run chmod 700 '${folder}'`;
}
