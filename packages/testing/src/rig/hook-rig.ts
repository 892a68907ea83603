import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { HookRun } from './hook-run.js';
import { RigConnections } from './rig-connections.js';
import { RunQueue } from './run-queue.js';

export interface HookRigOptions {
  /**
   * The time in milliseconds, from 1 to 2147483647, after which `nextRun()` rejects with the code `timeout`. @default no timeout while the
   * rig is open
   */
  readonly timeoutMs?: number;
}

/**
 * Hook commands that a test controls remotely. The rig does not depend on a hook system. It provides commands, which the test writes into
 * hook settings, and a run for each start of such a command.
 *
 * The rig keeps the test's process alive until `close()`, like any server, so close it in `afterEach` or `finally`. Even if a test does
 * not, no hook process stays behind: each ends itself when its connection ends, at the latest when the test's process ends.
 */
export interface HookRig {
  /**
   * Returns shell text that starts a remote-controlled hook: for bash and sh, or for PowerShell on Windows. A label distinguishes hooks,
   * and keeps a host from dropping equal commands as duplicates. Throws a TypeError for a label with a NUL, which an argument cannot
   * contain.
   */
  command(label?: string): string;
  /** Returns the program and arguments that start such a hook without a shell. */
  program(label?: string): Program;
  /**
   * Resolves to the next started hook that no earlier call returned, in the order in which hooks connected. With a label, to the next hook
   * with that label. Hooks that have already ended are included. Rejects with a HookRigError, `closed` or `timeout`, whose message names
   * what was awaited and what had started.
   */
  nextRun(label?: string): Promise<HookRun>;
  /**
   * Ends every process of the rig, including forks, by SIGKILL, and removes the rig's files. Resolves when the processes have ended, or
   * after 5 s. Hooks that start later report it on stderr and exit with 1. Further calls have no effect.
   */
  close(): Promise<void>;
  /** Calls `close()` at the end of a scope: `await using rig = await hookRig()`. */
  [Symbol.asyncDispose](): Promise<void>;
}

const closeGraceMs = 5000;
const maxTimeoutMs = 2 ** 31 - 1;
const script = fileURLToPath(new URL('../../bin/hook-rig-child.js', import.meta.url));

/**
 * Opens a rig: a socket that only the current user can connect to. Throws a TypeError for an invalid `timeoutMs`, and the system's error if
 * it cannot listen.
 */
export async function hookRig({ timeoutMs }: HookRigOptions = {}): Promise<HookRig> {
  if (timeoutMs !== undefined && !(Number.isInteger(timeoutMs) && timeoutMs >= 1 && timeoutMs <= maxTimeoutMs)) {
    throw new TypeError(`timeoutMs must be a whole number from 1 to ${maxTimeoutMs}, and is ${timeoutMs}`);
  }
  const socket = makeRigSocket();
  const queue = new RunQueue(timeoutMs);
  const connections = new RigConnections(socket.path, (run) => queue.add(run));
  const server = createServer((connection) => connections.accept(connection));
  try {
    await once(server.listen(socket.path), 'listening');
  } catch (error) {
    socket.remove();
    throw error;
  }

  const program = (label?: string): Program => {
    if (label?.includes('\0'))
      throw new TypeError(`The label ${JSON.stringify(label)} contains a NUL, which an argument of a process cannot. Remove it.`);
    return { file: process.execPath, args: [script, socket.path, ...(label === undefined ? [] : [`--label=${label}`])] };
  };
  const closeOnce = async (): Promise<void> => {
    const closed = once(server, 'close');
    server.close();
    queue.close();
    connections.endAll();
    const grace = setTimeout(() => connections.cutOff(), closeGraceMs);
    await closed;
    clearTimeout(grace);
    socket.remove();
  };
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= closeOnce();
    return closing;
  };
  return {
    command: (label) => shellText(program(label)),
    program,
    nextRun: (label) => queue.next(label),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The address of a rig. */
export interface RigSocket {
  readonly path: string;
  /** Removes the files of the socket. Does not throw if they do not exist. */
  remove(): void;
}

/** The address of a unix socket can have 104 bytes on macOS and 108 on Linux. 'hook-rig-XXXXXX/socket' is appended to the directory. */
const maxDirectoryBytes = 80;

/** Creates a unix socket in a directory that only the current user can enter; on Windows, a named pipe with a random name. */
export function makeRigSocket(temporary = tmpdir()): RigSocket {
  if (process.platform === 'win32') return { path: `\\\\.\\pipe\\hook-rig-${randomUUID()}`, remove: () => {} };
  const base = Buffer.byteLength(temporary) > maxDirectoryBytes ? '/tmp' : temporary;
  const directory = mkdtempSync(join(base, 'hook-rig-'));
  return { path: join(directory, 'socket'), remove: () => rmSync(directory, { recursive: true, force: true }) };
}

/** A program and its arguments, for a start without a shell. */
export interface Program {
  readonly file: string;
  readonly args: readonly string[];
}

/**
 * Returns shell text that starts the program with exactly these arguments, whatever characters they contain: for bash and sh, or for
 * PowerShell on Windows.
 */
export function shellText({ file, args }: Program, platform: NodeJS.Platform = process.platform): string {
  const words = [file, ...args];
  if (platform !== 'win32') return words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  // PowerShell 5 passes a double quote to a program only after a backslash. Without the `exit` at the end, it would turn every other exit
  // code into 1.
  const quoted = words.map((word) => `'${word.replaceAll("'", "''").replaceAll('"', '\\"')}'`);
  return `& ${quoted.join(' ')}; exit $LASTEXITCODE`;
}
