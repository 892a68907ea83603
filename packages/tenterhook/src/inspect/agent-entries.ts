import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, type Stats, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isPlainObject } from '@tenterhook/runtime/json';
import { SocketTransportError } from '@tenterhook/transport-socket';

/** An agent that other processes of its user can attach to, as its file describes it. */
export interface AgentEntry {
  readonly pid: number;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly name: string;
  readonly cwd: string;
  /** The path of the socket of its bus. */
  readonly socket: string;
  /** The version of Tenterhook. */
  readonly version: string;
  /** What the environment variable was set to by the program that waits for this agent. Absent if no program waits. */
  readonly tag?: string;
}

/** An entry with its file. */
export interface FoundEntry extends AgentEntry {
  readonly file: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Larger files are not entries. */
const mostBytes = 64 * 1024;

/** The directory of the entries and of the sockets of the current user. */
export function entriesDirectory(env: Environment): string {
  const runtime = env['XDG_RUNTIME_DIR'] ?? '';
  return runtime === '' ? join(tmpdir(), `tenterhook-${process.getuid?.() ?? 'user'}`) : join(runtime, 'tenterhook');
}

/**
 * Creates the directory if it is missing. Throws a SocketTransportError unless only this user can read it and write to it: another user could
 * name a socket of their own, and its messages would be recorded.
 */
export function openDirectory(env: Environment): string {
  const directory = entriesDirectory(env);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  } catch (cause) {
    const what = `The directory ${directory} cannot be created (${(cause as NodeJS.ErrnoException).code}).`;
    throw new SocketTransportError('invalid_path', what, 'Set XDG_RUNTIME_DIR to a directory of yours.', { cause });
  }
  requirePrivate(directory);
  return directory;
}

function requirePrivate(directory: string): void {
  if (process.platform === 'win32') return;
  const found = lstatSync(directory);
  const fault = !found.isDirectory()
    ? 'is not a directory'
    : found.uid !== process.getuid?.()
      ? `belongs to another user (uid ${found.uid})`
      : (found.mode & 0o077) !== 0
        ? `must have the mode 700, and has ${(found.mode & 0o777).toString(8)}`
        : undefined;
  if (fault === undefined) return;
  throw new SocketTransportError('not_ours', `${directory} ${fault}.`, `Remove it, or set XDG_RUNTIME_DIR to a directory of yours.`);
}

/** The names of the systems of this process. */
const ownNames = new Set<string>();

/** Returns a name that no other system of this process has: the pid, with a number from the second system on. */
export function takeName(): string {
  let name = String(process.pid);
  for (let number = 2; ownNames.has(name); number += 1) name = `${process.pid}-${number}`;
  ownNames.add(name);
  return name;
}

export function releaseName(name: string): void {
  ownNames.delete(name);
}

/** Writes an entry, and replaces that of an earlier process with the same pid. Returns a function that removes it. */
export function writeEntry(directory: string, name: string, entry: AgentEntry): () => void {
  const file = join(directory, `${name}.json`);
  // A link of that name, or another mode, would remain if the file were written in place.
  rmSync(file, { force: true });
  writeFileSync(file, `${JSON.stringify(entry)}\n`, { flag: 'wx', mode: 0o600 });
  return () => rmSync(file, { force: true });
}

/**
 * Returns the entries of all agents, also of those that have ended without removing theirs. A directory or a file that others could have
 * written is ignored, and `onIgnored` receives a sentence about it.
 */
export function readEntries(env: Environment, onIgnored: (message: string) => void = () => {}): FoundEntry[] {
  const directory = entriesDirectory(env);
  try {
    if (lstatSync(directory, { throwIfNoEntry: false }) === undefined) return [];
    requirePrivate(directory);
  } catch (error) {
    const isOurs = error instanceof SocketTransportError;
    const what = isOurs
      ? error.message
      : `${directory} cannot be read (${(error as NodeJS.ErrnoException).code}). Set XDG_RUNTIME_DIR to a directory of yours.`;
    onIgnored(`Agents are not looked for. ${what}`);
    return [];
  }
  return readdirSync(directory)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .flatMap((name) => readEntry(join(directory, name), onIgnored) ?? []);
}

function readEntry(file: string, onIgnored: (message: string) => void): FoundEntry | undefined {
  try {
    const found = lstatSync(file);
    const fault = faultOf(found);
    if (fault !== undefined) {
      onIgnored(`${file} ${fault}, and is ignored. Remove it.`);
      return undefined;
    }
    if (found.size > mostBytes) return undefined;
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (!isPlainObject(value)) return undefined;
    const { pid, startedAt = '', name = '', cwd = '', socket, version = '', tag } = value;
    if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid < 1 || typeof socket !== 'string') return undefined;
    const entry = { file, pid, startedAt: String(startedAt), name: String(name), cwd: String(cwd), socket, version: String(version) };
    return typeof tag === 'string' ? { ...entry, tag } : entry;
  } catch {
    // It was removed meanwhile, or is being written.
    return undefined;
  }
}

/** Says why a file is not an entry that this user has written. Its directory is private, but may have been copied or shared before. */
function faultOf(found: Stats): string | undefined {
  if (!found.isFile()) return 'is not a regular file';
  if (process.platform === 'win32') return undefined;
  if (found.uid !== process.getuid?.()) return `belongs to another user (uid ${found.uid})`;
  return (found.mode & 0o022) === 0 ? undefined : `can be written by others (mode ${(found.mode & 0o777).toString(8)})`;
}
