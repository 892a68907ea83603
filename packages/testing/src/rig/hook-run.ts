export type OutputStream = 'stdout' | 'stderr';

export interface FloodOptions {
  readonly stream: OutputStream;
  /** The total number of bytes. Each byte is an `x`, and there is no line end. */
  readonly bytes: number;
  /** The number of bytes of each write. @default 65536 */
  readonly chunkBytes?: number;
}

export interface ForkOptions {
  /**
   * Whether the child starts in its own session and group (`setsid`), like a daemon. If the parent then exits, the result is a
   * double fork.
   * @default false
   */
  readonly detached?: boolean;
  /**
   * With `inherit`, the child shares stdin, stdout and stderr with its parent and keeps them open. With `ignore`, they are
   * /dev/null. @default 'inherit'
   */
  readonly stdio?: 'inherit' | 'ignore';
  /** The label of the child. @default none */
  readonly label?: string;
  /** The complete environment of the child. @default the environment of its parent */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * A process that a test controls remotely. Without commands it reads no input, prints nothing and does not end.
 *
 * - A command resolves when the process has carried it out. Commands are sent at once and in order, so you need not await one
 *   command before the next.
 * - `exit`, `kill` and `stop` wait for earlier output commands, even if you do not await these. If no process reads the output,
 *   they wait for ever. Then end the process with `process.kill(run.pid, 'SIGKILL')`.
 * - A command that fails because the process ends rejects with the code `ended`. If you do not await it, this rejection is not
 *   reported as unhandled.
 * - Other failures have the error code of the operating system, e.g. `EPIPE`. If you do not await the command, the rejection is
 *   unhandled.
 */
export interface HookRun {
  /** The process id. In a sandbox with its own PID namespace, it is the id in that namespace. */
  readonly pid: number;
  /** The id of the parent process when this process started. */
  readonly ppid: number;
  /** The label passed to `command()`, `program()` or `fork()`, if any. */
  readonly label: string | undefined;
  /** The complete `process.argv`. Arguments that the host appended to the command are at the end. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The working directory at the start, with symbolic links resolved. Empty if the directory was removed. */
  readonly cwd: string;

  /** Reads stdin to its end and returns it as text. Further calls return the same text. Before the first call, nothing is read. */
  stdin(): Promise<string>;
  /** Reads stdin as `stdin()` does, and parses it as JSON. Rejects with `malformed` if it is not JSON. */
  input(): Promise<unknown>;
  /**
   * Opens /dev/stdin by its path and reads it to its end, as `cat /dev/stdin` does. Rejects with `ENXIO` if stdin is a socket. Not
   * available on Windows.
   */
  reopenStdin(): Promise<string>;
  /** Writes to stdout. Resolves when all data is written to the pipe or the file. */
  stdout(data: string | Uint8Array): Promise<void>;
  stderr(data: string | Uint8Array): Promise<void>;
  /** Writes this number of bytes. While a pipe is full, the process waits. Rejects with `EPIPE` if no process reads the pipe. */
  flood(options: FloodOptions): Promise<void>;
  /** Closes stdin without reading it. A pending `stdin()` rejects. */
  closeStdin(): Promise<void>;
  closeStdout(): Promise<void>;
  closeStderr(): Promise<void>;

  /**
   * Ignores these signals from now on; `signalled()` reports when they arrive. Forks do not ignore them. Rejects with `EINVAL` for
   * SIGKILL and SIGSTOP.
   */
  ignoreSignals(...signals: readonly NodeJS.Signals[]): Promise<void>;
  /** Resolves when an ignored signal arrives, or at once if it has arrived before. */
  signalled(signal: NodeJS.Signals): Promise<void>;
  /**
   * Pauses the process as SIGSTOP does. Resolves when it is paused. To continue it, send SIGCONT from outside. Not available on
   * Windows.
   */
  stop(): Promise<void>;
  chdir(path: string): Promise<void>;
  /** Starts a child of the process. The child is remote-controlled too, but it is not a hook, so `nextRun()` never returns it. */
  fork(options?: ForkOptions): Promise<HookRun>;

  /** Ends the process with an exit code from 0 to 255. Resolves when `ended` resolves. */
  exit(code: number): Promise<void>;
  /** Ends the process by a signal, even if the process ignored this signal. Resolves when `ended` resolves. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /**
   * Resolves when the process has ended for any reason. Never rejects. The descriptors of the process are then closed, but its
   * parent may not have noticed the end yet. Does not wait for forks.
   */
  readonly ended: Promise<void>;
}
