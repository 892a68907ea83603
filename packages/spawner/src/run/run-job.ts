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
import { describeFailure, findInvalidInput, findMissingDirectory, missingShell } from './failure.js';
import { findShell, type SpawnedProcess } from './spawn-process.js';
import { type JobResources, type Program, type StartedJob, startJob } from './start.js';

/** After SIGTERM, when the spawner is disposed: the agent is leaving and the user waits. */
export const disposeGraceMs = 500;

/**
 * Bytes of each output that are kept of a job that was stopped: they show people where it was. Many jobs stop in one moment, and to
 * decode megabytes for each of them would make the last one late.
 */
const mostOfStopped = 65_536;

/**
 * The life of one process: check the job, open its streams, start it, wait for the first of its end, its deadline and a stop, kill or drain,
 * settle. Another route than a direct spawn (a resident shell) has to start a process and to report its end; everything else is the same for it.
 */
export async function runJob(job: ProcessJob, signal: StopSignal, resources: JobResources): Promise<ProcessExit> {
  const refusal = findInvalidInput(job) ?? findMissingDirectory(job.cwd);
  if (refusal !== undefined) return refusal;
  const program = toProgram(job.command);
  if (program === undefined) return missingShell();

  const start = await startJob(job, program, signal, resources);
  if ('error' in start) {
    if (signal.aborted) return { kind: 'not-started', reason: signal.reason, durationMs: 0 };
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
    // From here on neither a deadline nor a stop changes how the job ended; they only end the waiting.
    const deadlineAt = deadline.at;
    switch (ending.kind) {
      // Stopped: settles with the output so far, and the killing goes on afterwards (decision 28).
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
        // What it printed last, and has not been read yet, explains why it crashed.
        await drainOutput(output, deadlineAt, signal);
        return { kind: 'signalled', signal: ending.signal, ...capture(start, resources) };
      case 'exited': {
        // What is left after a normal exit is on its own from this moment, also when our process exits before the job has settled (decision 29).
        jobs.release(processes);
        await drainOutput(output, deadlineAt, signal);
        const leftProcesses = await jobs.countLeft(processes, { isOutputHeld: !output.hasEnded, deadlineAt, signal });
        return { kind: 'exited', exitCode: ending.exitCode, ...capture(start, resources), leftProcesses };
      }
    }
  } finally {
    stdin.release();
  }

  function kill(graceMs: number): void {
    // When none of its processes is left, a daemon that could not be found may still hold the output: it is not read forever.
    void jobs.kill(processes, graceMs).then(() => output.stop());
    // Our exit kills them too, so they need not keep our process alive.
    spawned.unref();
  }
}

function toProgram(command: ProcessCommand): Program | undefined {
  if (command.kind === 'program') return command;
  const shell = findShell({ platform: process.platform, env: process.env });
  return shell && { file: shell.file, args: [...shell.args, command.text] };
}

/** A callback of the user must not stop the job that it is about; Node prints the warning, so it is not silent either. */
function notify(name: string, callback: () => void): void {
  try {
    callback();
  } catch (error) {
    process.emitWarning(`${name} of a process job threw, the job goes on: ${String(error)}`);
  }
}

function passFirstLine(onFirstLine: NonNullable<ProcessJob['onFirstLine']>, output: JobOutput, deadline: Deadline): void {
  const replaceTimeout = (timeoutMs: number): void => {
    requireNumber('timeoutMs', timeoutMs, 1, longestTimerMs);
    deadline.replace(timeoutMs);
  };
  output.tapStdout(watchFirstLine((text, isComplete) => notify('onFirstLine', () => onFirstLine({ text, isComplete, replaceTimeout }))));
}

/** What happened first. */
type Ending =
  // A shell's exit code above 128 stays a code: it may mean that a child was killed, or it may be what the hook wanted to say.
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
      // The rest of this turn reads what the process has printed so far, and perhaps the news of its end.
      setImmediate(() => resolve({ kind: reason }));
    });
    void spawned.ended.then((end) => {
      deadline.clear();
      forgetSignal();
      resolve(end.signal === null ? { kind: 'exited', exitCode: end.exitCode ?? 0 } : { kind: 'signalled', signal: end.signal });
    });
  });
}

/** When the time of a job is up; it can be replaced while the job runs. Does not keep the event loop alive: the job does. */
class Deadline {
  #at: number;
  #timer: NodeJS.Timeout | undefined;
  #action: (() => void) | undefined;

  /** `at`: of `performance.now()`. */
  constructor(at: number) {
    this.#at = at;
  }

  get at(): number {
    return this.#at;
  }

  /** So many milliseconds from now, also when the last deadline has just passed and its action was not called yet. */
  replace(timeoutMs: number): void {
    this.#at = performance.now() + timeoutMs;
    this.#arm();
  }

  /** The action is called at the deadline, unless clear() comes first. */
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
    // If the agent itself blocked the loop past the deadline, the timer fires before the news that the process ended in time; the rest of
    // this turn of the loop brings the news. An answer that has come must not be lost: it may be a deny.
    const reach = () => setImmediate(() => at === this.#at && this.#action?.());
    this.#timer = setTimeout(reach, Math.max(1, at - performance.now())).unref();
  }
}

const lookEveryMs = 10;
const quietMs = 50;
const longestDrainMs = 250;

/** The job settles so long before its deadline: a caller that gives up soon after the deadline would lose the answer, which may be a deny. */
const reserveMs = 100;

/**
 * After the end of a process: waits until no process holds its output, which is at once unless it has left some running. Else until nothing
 * was written for 50 ms, or 250 ms are over (decision 29), or the deadline of the job is near, or the job is stopped.
 */
function drainOutput(output: JobOutput, deadlineAt: number, signal: StopSignal): Promise<void> {
  return new Promise((resolve) => {
    const exitedAt = performance.now();
    const timer = setInterval(look, lookEveryMs).unref();
    void output.ended.then(finish);
    // A stop shortens the wait and does not end it: what the process printed last may be its deny, and may not have been read yet.
    let stoppedAt = Number.POSITIVE_INFINITY;
    const forgetSignal = onStop(signal, () => {
      stoppedAt = performance.now();
    });

    function look(): void {
      const now = performance.now();
      // After the rest of this turn of the loop, which reads what has come: if the agent itself blocked the loop, it may be all of the answer.
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

/** `most`: bytes of each output, if less than what was kept is wanted. From here on the output is read and discarded. */
function capture(
  { spawned, startedAt, output }: StartedJob,
  { orphanedStreams }: JobResources,
  most?: number,
): CapturedOutput & { readonly durationMs: number } {
  const captured = { durationMs: performance.now() - startedAt, pid: spawned.pid, ...output.capture(most), leftProcesses: 0 };
  orphanedStreams.add(output);
  return captured;
}
