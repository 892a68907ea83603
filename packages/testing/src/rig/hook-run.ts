export type OutputStream = 'stdout' | 'stderr';

export interface FloodOptions {
  readonly stream: OutputStream;
  /** Total number of bytes, each an `x`: one line without an end. */
  readonly bytes: number;
  /** Number of bytes per write. @default 65536 */
  readonly chunkBytes?: number;
}

export interface ForkOptions {
  /** Starts it in its own session and group (`setsid`), like a daemon. Together with `exit()` of the parent it is a double fork. @default false */
  readonly detached?: boolean;
  /** `inherit`: it keeps stdin, stdout and stderr of its parent open. `ignore`: /dev/null. @default 'inherit' */
  readonly stdio?: 'inherit' | 'ignore';
  /** @default none */
  readonly label?: string;
  /** Its whole environment. @default the environment of its parent */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * A process that a test controls remotely. It does nothing by itself: it reads no input, prints nothing and ends only on command.
 *
 * - Commands resolve when they were carried out. They are sent at once and in order, so you need not await a command before the next.
 * - Output commands before `exit`, `kill` or `stop` are carried out first, awaited or not. If the output is not read, the later commands wait too;
 *   then only a signal from outside ends the process: `process.kill(run.pid, 'SIGKILL')`.
 * - A command that fails because the process ends rejects with the code `ended`, without an unhandled rejection if it is not awaited. Other failures
 *   have the error code of the system (`EPIPE`), and are unhandled rejections if they are not awaited.
 */
export interface HookRun {
  /** Process id; in its own PID namespace (a sandbox), the id there. */
  readonly pid: number;
  /** Id of the parent process at its start. */
  readonly ppid: number;
  /** The label passed to `command()`, `program()` or `fork()`, if any. */
  readonly label: string | undefined;
  /** Its whole `process.argv`: arguments that a host appended to the command are at the end. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Working directory at its start, with symbolic links resolved. Empty if the directory was removed. */
  readonly cwd: string;

  /** Reads stdin to its end and returns it as text. Nothing is read before the first call. Later calls return the same text. */
  stdin(): Promise<string>;
  /** The same, parsed as JSON. Rejects with `malformed` if it is not JSON. */
  input(): Promise<unknown>;
  /** Opens /dev/stdin by its path and reads it to its end, as `cat /dev/stdin` does. Rejects with `ENXIO` if it is a socket. Not on Windows. */
  reopenStdin(): Promise<string>;
  /** Resolves when all of it is written to the pipe or the file. */
  stdout(data: string | Uint8Array): Promise<void>;
  stderr(data: string | Uint8Array): Promise<void>;
  /** Writes that many bytes. Waits, like any process, while a pipe is full. Rejects with `EPIPE` if the reader is gone. */
  flood(options: FloodOptions): Promise<void>;
  /** Closes stdin without reading it. A pending `stdin()` rejects. */
  closeStdin(): Promise<void>;
  closeStdout(): Promise<void>;
  closeStderr(): Promise<void>;

  /** From now on these signals are only reported by `signalled()`. Forks do not inherit this. Rejects with `EINVAL` for SIGKILL and SIGSTOP. */
  ignoreSignals(...signals: readonly NodeJS.Signals[]): Promise<void>;
  /** Resolves when an ignored signal arrives, or if it has arrived before. */
  signalled(signal: NodeJS.Signals): Promise<void>;
  /** Stops the process as SIGSTOP does. Resolves when it has stopped. SIGCONT from outside continues it. Not on Windows. */
  stop(): Promise<void>;
  chdir(path: string): Promise<void>;
  /** Starts a child of the process, also remote-controlled. It is not a hook, so `nextRun()` never returns it. */
  fork(options?: ForkOptions): Promise<HookRun>;

  /** Ends the process with an exit code, 0 to 255. Resolves like `ended`. */
  exit(code: number): Promise<void>;
  /** Ends the process by a signal, with the default action of the system, even if the signal was ignored. Resolves like `ended`. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /**
   * Resolves when the process has ended, for any reason, and never rejects. By then its descriptors are closed, but its parent may not know yet.
   * Remaining forks do not delay it.
   */
  readonly ended: Promise<void>;
}
