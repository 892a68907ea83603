import { longestTimerMs } from '@tenterhook/runtime/async';
import { type JobOutput, watchFirstLine } from '../io/output.js';
import {
  type CapturedOutput,
  onStop,
  type ProcessCommand,
  type ProcessExit,
  type ProcessJob,
  requireNumber,
  type StopReason,
  type StopSignal,
} from '../job.js';
import { describeFailure, findInvalidInput, findMissingDirectory, findTooNested, missingShell } from './failure.js';
import { findShell, type SpawnedProcess } from './spawn-process.js';
import { type JobResources, type Program, type StartedJob, startJob, startRefused } from './start.js';

/** The grace period after SIGTERM when the spawner is disposed. It is short, because the agent is ending and the user waits. */
export const disposeGraceMs = 500;

/**
 * The number of bytes of each output that are reported of a stopped job; they show how far it came. Many jobs may stop at the same moment,
 * and decoding megabytes for each of them would delay the last one.
 */
const mostOfStopped = 65_536;

/**
 * Runs one process: checks the job, opens its streams, starts it, and waits for its end, its deadline or a stop. Then kills its processes
 * or reads the rest of its output, and settles. Another way to run a process, such as a resident shell, would replace only the start and
 * the report of the end.
 */
export async function runJob(job: ProcessJob, signal: StopSignal, resources: JobResources): Promise<ProcessExit> {
  const refusal = findInvalidInput(job) ?? findTooNested() ?? findMissingDirectory(job.cwd);
  if (refusal !== undefined) return refusal;
  const program = toProgram(job.command);
  if (program === undefined) return missingShell();

  const start = await startJob(job, program, signal, resources);
  if ('error' in start) {
    if (signal.aborted) return { kind: 'not-started', reason: signal.reason, durationMs: 0 };
    if (start.error === startRefused) return { kind: 'not-started', reason: 'refused', durationMs: 0 };
    return describeFailure(job, start.error, program.file);
  }

  const { spawned, processes, stdin, output } = start;
  const { jobs } = resources;
  const killGraceMs = job.killGraceMs ?? resources.limits.killGraceMs;
  const deadline = new Deadline(start.startedAt + job.timeoutMs);
  try {
    notify('onStart', () => job.onStart?.({ pid: spawned.pid }));
    if (job.onFirstLine !== undefined) passFirstLine(job.onFirstLine, output, deadline);

    const ending = await waitForEnding(spawned, deadline, signal);
    // From here on it is known how the job ended. A deadline or a stop only ends the waiting.
    const deadlineAt = deadline.at;
    switch (ending.kind) {
      // The job is stopped: it settles with the output so far. Its processes are killed afterwards (decision 28).
      case 'timed-out':
        kill(killGraceMs);
        return { kind: 'timed-out', ...capture(start, resources, mostOfStopped) };
      case 'cancelled':
        kill(killGraceMs);
        return { kind: 'cancelled', ...capture(start, resources, mostOfStopped) };
      case 'disposed':
        kill(Math.min(killGraceMs, disposeGraceMs));
        return { kind: 'cancelled', ...capture(start, resources, mostOfStopped) };
      case 'signalled':
        kill(killGraceMs);
        // The last output, which is not read yet, may explain the crash.
        await drainOutput(output, deadlineAt, signal);
        return { kind: 'signalled', signal: ending.signal, ...capture(start, resources) };
      case 'exited': {
        // Processes that were left after a normal exit are released now: they are not killed, even if our process exits before the job has
        // settled (decision 29).
        jobs.release(processes);
        await drainOutput(output, deadlineAt, signal);
        const leftProcesses = await jobs.countLeft(processes, { isOutputHeld: !output.hasEnded, deadlineAt, signal });
        const inputUnread = start.isInputUnread?.() ? { inputUnread: true as const } : {};
        return { kind: 'exited', exitCode: ending.exitCode, ...capture(start, resources), leftProcesses, ...inputUnread };
      }
    }
  } finally {
    stdin.release();
  }

  function kill(graceMs: number): void {
    // When no known process is left, an unknown daemon may still hold the output. Its output is not read forever.
    void jobs.kill(processes, graceMs).then(() => output.stop());
    // Our exit kills these processes too, so they need not keep our process alive.
    spawned.unref();
  }
}

function toProgram(command: ProcessCommand): Program | undefined {
  if (command.kind === 'program') return command;
  const shell = findShell({ platform: process.platform, env: process.env });
  return shell && { file: shell.file, args: [...shell.args, command.text] };
}

/** Calls a callback of the user. If it throws, the job continues, and Node prints a warning. */
function notify(name: string, callback: () => void): void {
  try {
    callback();
  } catch (error) {
    process.emitWarning(`${name} of a process job threw an error. The job continues: ${String(error)}`);
  }
}

function passFirstLine(onFirstLine: NonNullable<ProcessJob['onFirstLine']>, output: JobOutput, deadline: Deadline): void {
  const replaceTimeout = (timeoutMs: number): void => {
    requireNumber('timeoutMs', timeoutMs, 1, longestTimerMs);
    deadline.replace(timeoutMs);
  };
  output.tapStdout(watchFirstLine((text, isComplete) => notify('onFirstLine', () => onFirstLine({ text, isComplete, replaceTimeout }))));
}

/** What happened first: the end of the process, the deadline or a stop. */
type Ending =
  // The exit code of a shell above 128 stays an exit code: a child of the shell may have been killed, or the hook may have chosen this
  // code.
  | { readonly kind: 'exited'; readonly exitCode: number }
  | { readonly kind: 'signalled'; readonly signal: string }
  | { readonly kind: 'timed-out' }
  | { readonly kind: StopReason };

function waitForEnding(spawned: SpawnedProcess, deadline: Deadline, signal: StopSignal): Promise<Ending> {
  return new Promise((resolve) => {
    deadline.onReached(() => {
      forgetSignal();
      resolve({ kind: 'timed-out' });
    });
    const forgetSignal = onStop(signal, (reason) => {
      deadline.clear();
      // The rest of this turn of the loop reads what the process has printed so far, and perhaps the report of its end.
      setImmediate(() => resolve({ kind: reason }));
    });
    void spawned.ended.then((end) => {
      deadline.clear();
      forgetSignal();
      resolve(end.signal === null ? { kind: 'exited', exitCode: end.exitCode ?? 0 } : { kind: 'signalled', signal: end.signal });
    });
  });
}

/** The deadline of a job. It can be replaced while the job runs. Its timer does not keep the event loop alive; the job does. */
class Deadline {
  #at: number;
  #timer: NodeJS.Timeout | undefined;
  #action: (() => void) | undefined;

  /** `at`: a time of `performance.now()`. */
  constructor(at: number) {
    this.#at = at;
  }

  get at(): number {
    return this.#at;
  }

  /**
   * Sets the deadline to `timeoutMs` milliseconds from now, even if the previous deadline has just passed and its action was not called
   * yet.
   */
  replace(timeoutMs: number): void {
    this.#at = performance.now() + timeoutMs;
    this.#arm();
  }

  /** Calls the action at the deadline, unless clear() is called first. */
  onReached(action: () => void): void {
    this.#action = action;
    this.#arm();
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#action = undefined;
  }

  #arm(): void {
    clearTimeout(this.#timer);
    if (this.#action === undefined) return;
    const at = this.#at;
    // The action runs after the rest of this turn of the loop. If the agent blocked the loop past the deadline, the timer fires before the
    // end of the process is reported, which happens later in the same turn. An answer that came in time must not be lost, because it may be
    // a deny.
    const reach = () => setImmediate(() => at === this.#at && this.#action?.());
    this.#timer = setTimeout(reach, Math.max(1, at - performance.now())).unref();
  }
}

const lookEveryMs = 10;
const quietMs = 50;
const longestDrainMs = 250;

/**
 * A job that is reading its last output settles this long before its deadline. A caller that stops waiting soon after the deadline would
 * otherwise lose the answer, which may be a deny.
 */
const reserveMs = 100;

/**
 * Waits, after the end of a process, until no process holds its output. If the process left others running, it waits until nothing was
 * written for 50 ms, until 250 ms are over (decision 29), until shortly before the deadline of the job, or until the job is stopped.
 */
function drainOutput(output: JobOutput, deadlineAt: number, signal: StopSignal): Promise<void> {
  return new Promise((resolve) => {
    const exitedAt = performance.now();
    const timer = setInterval(look, lookEveryMs).unref();
    void output.ended.then(finish);
    // A stop shortens the wait but does not end it at once: the last output may be a deny that is not read yet.
    let stoppedAt = Number.POSITIVE_INFINITY;
    const forgetSignal = onStop(signal, () => {
      stoppedAt = performance.now();
    });

    function look(): void {
      const now = performance.now();
      // The wait ends after the rest of this turn of the loop, in which the output is read. If the agent blocked the loop, that may be the
      // whole answer.
      const latest = Math.min(exitedAt + longestDrainMs, deadlineAt - reserveMs, stoppedAt + quietMs);
      if (now - Math.max(exitedAt, output.changedAt) >= quietMs || now >= latest) setImmediate(finish);
    }

    function finish(): void {
      clearInterval(timer);
      forgetSignal();
      resolve();
    }
  });
}

/** The output and the duration of a job. `most` limits the bytes of each output further. From here on the output is read and discarded. */
function capture(
  { spawned, startedAt, output }: StartedJob,
  { orphanedStreams }: JobResources,
  most?: number,
): CapturedOutput & { readonly durationMs: number } {
  const captured = { durationMs: performance.now() - startedAt, pid: spawned.pid, ...output.capture(most), leftProcesses: 0 };
  orphanedStreams.add(output);
  return captured;
}
