import { longestTimerMs } from '@tenterhook/runtime/async';
import { type JobOutput, watchFirstLine } from '../io/output.js';
import {
  type CapturedOutput,
  onStop,
  type ProcessCommand,
  type ProcessExit,
  type ProcessJob,
  type StopReason,
  type StopSignal,
} from '../job.js';
import { hasStoppedProcess } from '../kill/job-processes.js';
import { requireNumber } from '../limits.js';
import { Deadline } from './deadline.js';
import { drainOutput } from './drain-output.js';
import { describeFailure, findInvalidInput, findMissingDirectory, findTooNested, missingShell } from './failure.js';
import { findShell, type SpawnedProcess } from './spawn-process.js';
import { type JobResources, type Program, type StartedJob, startJob, startRefused } from './start.js';

/** The grace period after SIGTERM when the spawner is disposed. It is short, because the agent ends and the user waits. */
export const disposeGraceMs = 500;

/**
 * The maximum number of bytes of each output that are reported for a stopped job, enough to see what it did. Many jobs may be stopped at
 * the same moment, and decoding megabytes for each of them would take too long.
 */
const mostOfStopped = 65_536;

/**
 * Runs one process: checks the job, opens its streams, starts it, and waits for its end, its deadline or a stop. Then kills its processes
 * or reads the rest of its output, and settles.
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

  const { spawned, processes, stdin, output, leaveLane } = start;
  const { jobs } = resources;
  const killGraceMs = job.killGraceMs ?? resources.limits.killGraceMs;
  const deadline = new Deadline(start.startedAt + job.timeoutMs);
  try {
    notify('onStart', () => job.onStart?.({ pid: spawned.pid }));
    if (job.onFirstLine !== undefined) passFirstLine(job.onFirstLine, output, deadline);
    if (!start.isEnding) output.watch();

    const ending = await waitForEnding(spawned, deadline, signal);
    // The ending is now known. A timeout or a stop from here on only shortens the reading of the last output.
    const deadlineAt = deadline.at;
    switch (ending.kind) {
      // A stopped job settles with the output so far. Its processes are killed afterwards (decision 28).
      case 'timed-out': {
        // Checked before the kill, because the kill makes paused processes continue.
        const stopped = isPaused(start) ? { signal: 'SIGSTOP' as const } : {};
        kill(killGraceMs);
        return { kind: 'timed-out', ...capture(start, resources, mostOfStopped), ...stopped };
      }
      case 'cancelled':
        kill(killGraceMs);
        return { kind: 'cancelled', ...capture(start, resources, mostOfStopped) };
      case 'disposed':
        kill(Math.min(killGraceMs, disposeGraceMs));
        return { kind: 'cancelled', ...capture(start, resources, mostOfStopped) };
      case 'signalled':
        kill(killGraceMs);
        // The last output is read first, because it may explain the crash.
        if (!output.hasEnded) await drainOutput(output, deadlineAt, signal);
        return { kind: 'signalled', signal: ending.signal, ...capture(start, resources) };
      case 'exited': {
        // After a normal exit, remaining processes are not killed (decision 29). They are released before the wait, so that they also
        // survive if our process exits during it.
        jobs.release(processes);
        if (!output.hasEnded) await drainOutput(output, deadlineAt, signal);
        const isGone = ending.isGroupEmpty === true && output.hasEnded;
        const leftProcesses = isGone ? 0 : await jobs.countLeft(processes, { isOutputHeld: () => !output.hasEnded, deadlineAt, signal });
        leaveLane?.(leftProcesses === 0, output);
        const inputUnread = start.isInputUnread?.() ? { inputUnread: true as const } : {};
        return { kind: 'exited', exitCode: ending.exitCode, ...capture(start, resources), leftProcesses, ...inputUnread };
      }
    }
  } finally {
    stdin.release();
  }

  function kill(graceMs: number): void {
    // A daemon that no search found may still have the output open after all known processes are gone. Without this stop, reading would go
    // on forever.
    void jobs.kill(processes, graceMs).then(() => {
      output.stop();
      leaveLane?.(true, output);
    });
    // Our process need not stay alive for these processes, because its exit kills them too.
    spawned.unref();
  }
}

/** Tests whether another program has paused the job, or its lane, which then cannot report its end. */
function isPaused({ spawned, processes: { lane } }: StartedJob): boolean {
  return hasStoppedProcess(spawned.pid) || (lane !== undefined && hasStoppedProcess(lane.pid));
}

/** Returns the program of a command. Undefined if a shell is needed and there is none. */
export function toProgram(command: ProcessCommand): Program | undefined {
  if (command.kind === 'program') return command;
  const shell = findShell({ platform: process.platform, env: process.env });
  return shell && { file: shell.file, args: [...shell.args, command.text] };
}

/** Calls a callback of the job. If it throws, the job continues, and Node prints a warning. */
export function notify(name: string, callback: () => void): void {
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
  // A shell exits with a code above 128 if a signal ended its child. This is reported as an exit code, because the hook may also have
  // chosen the code.
  | { readonly kind: 'exited'; readonly exitCode: number; readonly isGroupEmpty?: boolean }
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
      // The promise settles after this turn of the event loop. Until then Node reads what the process has already printed, and reports its
      // end if it has ended.
      setImmediate(() => resolve({ kind: reason }));
    });
    void spawned.ended.then((end) => {
      deadline.clear();
      forgetSignal();
      const { exitCode, signal: ended, isGroupEmpty = false } = end;
      if (ended === null) resolve({ kind: 'exited', exitCode: exitCode ?? 0, isGroupEmpty });
      // A stop may already have killed the process while a lane started it.
      else resolve(signal.aborted ? { kind: signal.reason } : { kind: 'signalled', signal: ended });
    });
  });
}

/**
 * Returns the output and the duration of a job, with at most `most` bytes of stdout and of stderr. Output that is written later is read and
 * discarded.
 */
function capture(
  { spawned, startedAt, output, route }: StartedJob,
  { orphanedStreams }: JobResources,
  most?: number,
): CapturedOutput & { readonly durationMs: number } {
  const captured = {
    durationMs: performance.now() - startedAt,
    pid: spawned.pid,
    ...output.capture(most),
    leftProcesses: 0,
    ...(route && { route }),
  };
  orphanedStreams.add(output);
  return captured;
}
