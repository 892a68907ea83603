import type { Readable } from 'node:stream';
import spawn from 'cross-spawn';

/** A descriptor of ours, which the process gets a copy of; or a pipe that Node makes. */
type Output = number | 'pipe' | 'ignore';

export interface StartRequest {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdio: readonly [stdin: number | 'ignore', stdout: Output, stderr: Output];
}

/** How the operating system says that a process ended: one of the two. */
export interface ProcessEnd {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A process that runs, or has run, leader of a group of its own with the same number. */
export interface StartedProcess {
  readonly pid: number;
  /** Settles on 'exit', not on 'close': 'close' waits for every holder of the output, and a hook may leave a daemon behind (decision 29). */
  readonly ended: Promise<ProcessEnd>;
  /** Our ends of stdout and stderr, of those that Node was asked to make a pipe for. */
  readonly streams: readonly (Readable | undefined)[];
  /** From now on the process does not hold our event loop open. */
  abandon(): void;
}

export type StartResult = { readonly started: StartedProcess } | { readonly error: NodeJS.ErrnoException };

/**
 * Starts one process, and tells its number before anything else can happen. The only door to cross-spawn. Never rejects: what can go wrong is a value, in one place,
 * so that whoever wants to try again after a transient EAGAIN or EMFILE can wrap this function and nothing else.
 */
export async function startDirectly(request: StartRequest, onPid: (pid: number) => void = () => {}): Promise<StartResult> {
  try {
    // detached: a session and group of its own, so that the whole tree can be killed (field failure 29). It costs nothing.
    const child = spawn(request.file, request.args, {
      cwd: request.cwd,
      env: request.env,
      stdio: [...request.stdio],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    const failed = new Promise<NodeJS.ErrnoException>((resolve) => child.once('error', resolve));
    const { pid } = child;
    // Node tells some failures by throwing, the others by an event in the next tick and no pid.
    if (pid === undefined) return { error: await failed };
    onPid(pid);
    const ended = new Promise<ProcessEnd>((resolve) => child.once('exit', (exitCode, signal) => resolve({ exitCode, signal })));
    const streams = [child.stdout ?? undefined, child.stderr ?? undefined];
    return { started: { pid, ended, streams, abandon: () => child.unref() } };
  } catch (error) {
    return { error: error as NodeJS.ErrnoException };
  }
}
