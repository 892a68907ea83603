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
   * Whether the child starts in its own session and group (`setsid`), like a daemon. Together with `exit()` of the parent this is a double
   * fork. @default false
   */
  readonly detached?: boolean;
  /** `inherit`: the child keeps stdin, stdout and stderr of its parent open. `ignore`: /dev/null. @default 'inherit' */
  readonly stdio?: 'inherit' | 'ignore';
  /** The label of the child. @default none */
  readonly label?: string;
  /** The complete environment of the child. @default the environment of its parent */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * A process that a test controls remotely. It does nothing by itself: it reads no input, prints nothing and ends only on command.
 *
 * - Commands resolve when they were carried out. They are sent at once and in order, so you need not await one before you send the next.
 * - Output commands before `exit`, `kill` or `stop` are carried out first, whether they are awaited or not. If no process reads the output,
 *   they wait, and so do all later commands. Then only a signal from outside ends the process: `process.kill(run.pid, 'SIGKILL')`.
 * - If a command fails because the process ends, it rejects with the code `ended`, which causes no unhandled rejection if you do not await
 *   it. Other failures have the error code of the operating system (`EPIPE`), and cause an unhandled rejection if you do not await them.
 */
export interface HookRun {
  /** The process id. If the process runs in its own PID namespace (a sandbox), the id in that namespace. */
  readonly pid: number;
  /** The id of its parent process when it started. */
  readonly ppid: number;
  /** The label passed to `command()`, `program()` or `fork()`, if any. */
  readonly label: string | undefined;
  /** The complete `process.argv`. Arguments that a host appended to the command are at the end. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The working directory when it started, with symbolic links resolved. Empty if the directory was removed. */
  readonly cwd: string;

  /** Reads stdin to its end and returns it as text. Before the first call nothing is read. Later calls return the same text. */
  stdin(): Promise<string>;
  /** Reads stdin like `stdin()` and parses it as JSON. Rejects with `malformed` if it is not JSON. */
  input(): Promise<unknown>;
  /**
   * Opens /dev/stdin by its path and reads it to its end, as `cat /dev/stdin` does. Rejects with `ENXIO` if stdin is a socket. Not on
   * Windows.
   */
  reopenStdin(): Promise<string>;
  /** Writes to stdout. Resolves when all of it is written to the pipe or the file. */
  stdout(data: string | Uint8Array): Promise<void>;
  stderr(data: string | Uint8Array): Promise<void>;
  /**
   * Writes this number of bytes. While a pipe is full, the hook waits, like any process. Rejects with `EPIPE` if no process reads the pipe.
   */
  flood(options: FloodOptions): Promise<void>;
  /** Closes stdin without reading it. A pending `stdin()` rejects. */
  closeStdin(): Promise<void>;
  closeStdout(): Promise<void>;
  closeStderr(): Promise<void>;

  /**
   * Ignores these signals from now on; `signalled()` reports them. Forks do not inherit this. Rejects with `EINVAL` for SIGKILL and
   * SIGSTOP.
   */
  ignoreSignals(...signals: readonly NodeJS.Signals[]): Promise<void>;
  /** Resolves when an ignored signal arrives, or at once if it has arrived before. */
  signalled(signal: NodeJS.Signals): Promise<void>;
  /** Stops the process as SIGSTOP does. Resolves when it has stopped. A SIGCONT from outside continues it. Not on Windows. */
  stop(): Promise<void>;
  chdir(path: string): Promise<void>;
  /** Starts a child of the process, which is also remote-controlled. It is not a hook, so `nextRun()` never returns it. */
  fork(options?: ForkOptions): Promise<HookRun>;

  /** Ends the process with an exit code from 0 to 255. Resolves like `ended`. */
  exit(code: number): Promise<void>;
  /** Ends the process by a signal with the default action of the system, even if the process ignored the signal. Resolves like `ended`. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /**
   * Resolves when the process has ended for any reason. Never rejects. The descriptors of the process are then closed, but its parent may
   * not have noticed its end yet. Forks that still run do not delay this.
   */
  readonly ended: Promise<void>;
}
