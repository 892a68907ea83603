import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { requireOptions } from '@tenterhook/runtime/text';
import type { HookRun } from './hook-run.js';
import { RigConnections } from './rig-connections.js';
import { RunQueue } from './run-queue.js';

export interface HookRigOptions {
  /** Milliseconds after which `nextRun()` rejects with the code `timeout`, from 1 to 2147483647. @default no timeout */
  readonly timeoutMs?: number;
}

/**
 * Hook commands that a test controls remotely. The rig does not depend on a hook system. A test writes its commands into hook
 * settings, and receives a run for each start of a command.
 *
 * Close the rig in `afterEach` or `finally`, because it keeps the process of the test alive. If you forget this, hook processes
 * still end: each ends itself when its connection ends, at the latest with the process of the test.
 */
export interface HookRig {
  /**
   * Returns shell text that starts a remote-controlled hook: for bash and sh, or for PowerShell on Windows. The label makes
   * commands different, so that a host does not drop equal commands as duplicates. Throws a TypeError for a label with a NUL,
   * because an argument cannot contain this character.
   */
  command(label?: string): string;
  /** Returns the program and arguments that start a remote-controlled hook without a shell. */
  program(label?: string): Program;
  /**
   * Resolves to the next started hook. With a label, resolves to the next hook with this label. Each hook is returned once, in the
   * order in which hooks connected, even if it has already ended. Rejects with a HookRigError (`closed`, `timeout`) whose message
   * names the awaited and the started hooks.
   */
  nextRun(label?: string): Promise<HookRun>;
  /**
   * Ends every process of the rig, including forks, by SIGKILL, and removes the rig's files. Resolves when the processes have
   * ended, at the latest after 5 s. Hooks that start later print an error on stderr and exit with 1. Further calls have no effect.
   */
  close(): Promise<void>;
  /** Calls `close()` at the end of a scope: `await using rig = await hookRig()`. */
  [Symbol.asyncDispose](): Promise<void>;
}

const closeGraceMs = 5000;
const maxTimeoutMs = 2 ** 31 - 1;
const script = fileURLToPath(new URL('../../bin/hook-rig-child.js', import.meta.url));

/**
 * Opens a rig. Only the current user can connect to its socket. Rejects with a TypeError for an invalid `timeoutMs`. If the rig
 * cannot listen, rejects with the error of the system.
 */
export async function hookRig(options: HookRigOptions = {}): Promise<HookRig> {
  requireOptions('hookRig', options, ['timeoutMs']);
  const { timeoutMs } = options;
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
      throw new TypeError(
        `The label ${JSON.stringify(label)} contains a NUL character, which arguments of a process cannot contain. Remove this character.`,
      );
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

export interface RigSocket {
  readonly path: string;
  /** Removes the files of the socket. Does not throw if they do not exist. */
  remove(): void;
}

/** The path of a socket has at most 104 bytes on macOS and 108 on Linux. `hook-rig-XXXXXX/socket` is appended to the directory. */
const maxDirectoryBytes = 80;

/** Creates a unix socket in a directory that only the current user can enter; on Windows, a named pipe with a random name. */
export function makeRigSocket(temporary = tmpdir()): RigSocket {
  if (process.platform === 'win32') return { path: `\\\\.\\pipe\\hook-rig-${randomUUID()}`, remove: () => {} };
  const base = Buffer.byteLength(temporary) > maxDirectoryBytes ? '/tmp' : temporary;
  const directory = mkdtempSync(join(base, 'hook-rig-'));
  return { path: join(directory, 'socket'), remove: () => rmSync(directory, { recursive: true, force: true }) };
}

export interface Program {
  readonly file: string;
  readonly args: readonly string[];
}

/**
 * Returns shell text that starts the program with exactly these arguments, whatever characters they contain. It is for bash and sh,
 * or for PowerShell on Windows.
 */
export function shellText({ file, args }: Program, platform: NodeJS.Platform = process.platform): string {
  const words = [file, ...args];
  if (platform !== 'win32') return words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  // PowerShell 5 passes a double quote to a program only if a backslash precedes it. Without `exit`, PowerShell would turn every exit code
  // other than 0 into 1.
  const quoted = words.map((word) => `'${word.replaceAll("'", "''").replaceAll('"', '\\"')}'`);
  return `& ${quoted.join(' ')}; exit $LASTEXITCODE`;
}
