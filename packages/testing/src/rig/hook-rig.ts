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
  /** Milliseconds, 1 to 2147483647, that `nextRun()` waits before it rejects with the code `timeout`. @default as long as the rig is open */
  readonly timeoutMs?: number;
}

/**
 * A hook command that a test remote-controls. The rig knows nothing of hook systems: it gives commands, which the test puts wherever commands
 * of hooks stand, and runs, one for each time that such a command was started.
 *
 * It keeps our process alive until `close()`, as any server does: close it in `afterEach` or `finally`. Should a test not come to that, no
 * process is left all the same: each ends itself when its connection ends, which is when our process ends at the latest.
 */
export interface HookRig {
  /**
   * Shell text that starts a remote-controlled hook: for bash and sh, for PowerShell on Windows. A label distinguishes hooks, also for a host
   * that drops duplicate commands. Throws a TypeError for a label with a NUL, which no argument can hold.
   */
  command(label?: string): string;
  /** The same for starting it without a shell. */
  program(label?: string): Program;
  /**
   * The next hook that started and that no earlier call returned; with a label, the next of that label. In the order in which they connected.
   * A hook that has already ended is included. Rejects with a HookRigError: `closed`, or `timeout`; it says what was awaited
   * and what had started.
   */
  nextRun(label?: string): Promise<HookRun>;
  /**
   * Ends every process of the rig, forks too, by SIGKILL, and removes its files. Resolves when they are gone; what lets go neither of its
   * life nor of its connection within 5 s is given up. Hooks that start later say so on stderr and exit with 1. Idempotent.
   */
  close(): Promise<void>;
  /** The same, at the end of a scope: `await using rig = await hookRig()`. */
  [Symbol.asyncDispose](): Promise<void>;
}

const closeGraceMs = 5000;
const maxTimeoutMs = 2 ** 31 - 1;
const script = fileURLToPath(new URL('../../bin/hook-rig-child.js', import.meta.url));

/** Opens a rig: a socket that only our user can reach. Throws a TypeError for a wrong `timeoutMs`, and what the system says if it cannot listen. */
export async function hookRig({ timeoutMs }: HookRigOptions = {}): Promise<HookRig> {
  if (timeoutMs !== undefined && !(Number.isInteger(timeoutMs) && timeoutMs >= 1 && timeoutMs <= maxTimeoutMs)) {
    throw new TypeError(`timeoutMs is ${timeoutMs}, and has to be a whole number from 1 to ${maxTimeoutMs}`);
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
    if (label?.includes('\0')) throw new TypeError(`The label ${JSON.stringify(label)} holds a NUL, which no argument of a process can.`);
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

/** Where a rig listens. */
export interface RigSocket {
  readonly path: string;
  /** Removes what was made for it. Never throws because it is gone. */
  remove(): void;
}

/** The address of a unix socket has room for 104 bytes on macOS and 108 on Linux, and 'hook-rig-XXXXXX/socket' is appended to the directory. */
const maxDirectoryBytes = 80;

/** A unix socket in a directory that only our user can enter; on Windows a named pipe with a random name. */
export function makeRigSocket(temporary = tmpdir()): RigSocket {
  if (process.platform === 'win32') return { path: `\\\\.\\pipe\\hook-rig-${randomUUID()}`, remove: () => {} };
  const base = Buffer.byteLength(temporary) > maxDirectoryBytes ? '/tmp' : temporary;
  const directory = mkdtempSync(join(base, 'hook-rig-'));
  return { path: join(directory, 'socket'), remove: () => rmSync(directory, { recursive: true, force: true }) };
}

/** A program and its arguments, for starting it without a shell. */
export interface Program {
  readonly file: string;
  readonly args: readonly string[];
}

/** Shell text that starts the program with exactly these arguments, whatever they hold: for bash and sh, or for PowerShell on Windows. */
export function shellText({ file, args }: Program, platform: NodeJS.Platform = process.platform): string {
  const words = [file, ...args];
  if (platform !== 'win32') return words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  // PowerShell 5 passes a double quote to a program only after a backslash, and without the last part it turns every exit code into 1.
  const quoted = words.map((word) => `'${word.replaceAll("'", "''").replaceAll('"', '\\"')}'`);
  return `& ${quoted.join(' ')}; exit $LASTEXITCODE`;
}
