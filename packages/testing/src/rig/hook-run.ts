export type OutputStream = 'stdout' | 'stderr';

export interface FloodOptions {
  readonly stream: OutputStream;
  /** How many bytes in all, each an `x`: one line without an end. */
  readonly bytes: number;
  /** How many bytes one write has. @default 65536 */
  readonly chunkBytes?: number;
}

export interface ForkOptions {
  /** In a session and a group of its own (`setsid`), as a daemon is. Together with `exit()` of the parent it is a double fork. @default false */
  readonly detached?: boolean;
  /** `inherit`: it holds stdin, stdout and stderr of its parent open; `ignore`: /dev/null. @default 'inherit' */
  readonly stdio?: 'inherit' | 'ignore';
  /** @default none */
  readonly label?: string;
  /** Its whole environment. @default that of its parent */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * A process that a test remote-controls. It does nothing by itself: it reads no input, prints nothing and ends only on command.
 *
 * - Commands resolve when they were carried out. They are sent at once and in order, so a command need not be awaited before the next.
 * - Output that was ordered before `exit`, `kill` or `stop` is written first, awaited or not. Where that output is not read, they wait as the
 *   writing does; then only a signal from outside ends the process: `process.kill(run.pid, 'SIGKILL')`.
 * - A command that the end of the process prevents rejects with the code `ended`, without an unhandled rejection where it is not awaited.
 *   Other failures carry the error code of the system (`EPIPE`), and are unhandled rejections where they are not awaited.
 */
export interface HookRun {
  /** Its number; in a PID namespace of its own (a sandbox), the number there. */
  readonly pid: number;
  /** Of the process that was its parent at its start. */
  readonly ppid: number;
  /** As given to `command()`, `program()` or `fork()`; undefined without. */
  readonly label: string | undefined;
  /** Its whole `process.argv`: arguments that a host appended to the command are at the end. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** At its start, symbolic links resolved; empty where the directory was removed. */
  readonly cwd: string;

  /** Reads stdin to its end and gives it as text. Only then is any of it read; asked again, it gives the same. */
  stdin(): Promise<string>;
  /** The same as the JSON it holds; `malformed` where it holds none. */
  input(): Promise<unknown>;
  /** Opens /dev/stdin by its path and reads it to its end, as `cat /dev/stdin` does; `ENXIO` where it is a socket. Not on Windows. */
  reopenStdin(): Promise<string>;
  /** Resolves when all of it is written, which means: taken by the pipe or the file. */
  stdout(data: string | Uint8Array): Promise<void>;
  stderr(data: string | Uint8Array): Promise<void>;
  /** Writes that many bytes; waits, as any process does, while a pipe is full. `EPIPE` where the reader has gone. */
  flood(options: FloodOptions): Promise<void>;
  /** Without having read what is in it. A `stdin()` under way rejects. */
  closeStdin(): Promise<void>;
  closeStdout(): Promise<void>;
  closeStderr(): Promise<void>;

  /** From now on these signals have no effect but to be reported by `signalled()`. Forks do not inherit that. `EINVAL` for SIGKILL and SIGSTOP. */
  ignoreSignals(...signals: readonly NodeJS.Signals[]): Promise<void>;
  /** Resolves when a signal that is ignored arrives, or has arrived before. */
  signalled(signal: NodeJS.Signals): Promise<void>;
  /** Stops it as SIGSTOP does, and resolves when it stands still. SIGCONT from outside lets it go on. Not on Windows. */
  stop(): Promise<void>;
  chdir(path: string): Promise<void>;
  /** Starts a child of the process, remote-controlled as well. It is not a hook, so `nextRun()` never returns it. */
  fork(options?: ForkOptions): Promise<HookRun>;

  /** Ends it with a code, 0 to 255. Resolves as `ended` does. */
  exit(code: number): Promise<void>;
  /** Ends it by a signal, with what the system does by default, even if it was ignored. Resolves as `ended` does. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /**
   * Resolves when the process has ended, by whatever means, and never rejects. Its descriptors are closed by then; its parent may not know
   * yet. Forks that are left do not delay it.
   */
  readonly ended: Promise<void>;
}
