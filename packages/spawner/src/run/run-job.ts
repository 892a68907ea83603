import { findInvalidInput } from '../check-job.js';
import { Deadline } from '../deadline.js';
import type { ProcessEnd, StartedProcess } from './spawn-process.js';
import { FirstLineWatch } from '../io/first-line.js';
import type { JobOutput } from '../io/output.js';
import type { JobResources } from '../job-resources.js';
import { longestTimerMs, requireNumber } from '../limits.js';
import type { ProcessCommand, ProcessExit, ProcessJob } from '../job.js';
import { settleEnded, settleStopped } from '../settle-process.js';
import { findShell } from './shell.js';
import { describeFailure, findMissingDirectory, missingShell, spawnFailed } from './failure.js';
import { type Program, startJob } from './start.js';
import type { StopReason, StopRequest } from '../cancellation.js';

type Ending = ({ readonly cause: 'ended' } & ProcessEnd) | { readonly cause: 'timed-out' } | { readonly cause: StopReason };

/**
 * The life of one process: look at the job, open its streams, start it, wait for the first of its end, its deadline and an order to stop, settle.
 * Another route than a direct spawn (a resident shell) has to start a process and to tell its end; everything else here is the same for it.
 */
export async function runProcess(job: ProcessJob, stop: StopRequest, resources: JobResources): Promise<ProcessExit> {
  const invalid = findInvalidInput(job);
  if (invalid !== undefined) return spawnFailed('invalid_input', invalid);
  const missingDirectory = findMissingDirectory(job.cwd);
  if (missingDirectory !== undefined) return missingDirectory;
  const program = toProgram(job.command);
  if (program === undefined) return missingShell();

  const start = await startJob(job, program, stop, resources);
  if ('error' in start) {
    if (stop.reason !== undefined) return { status: 'not-started', reason: stop.reason, durationMs: 0 };
    return describeFailure(job, start.error, program.file);
  }
  const { started, processes, startedAt, stdin, output } = start;
  try {
    const deadline = new Deadline(startedAt + job.timeoutMs);
    tell('onStart', () => job.onStart?.({ pid: started.pid }));
    if (job.onFirstLine !== undefined) tellFirstLine(job.onFirstLine, output, deadline);
    const ending = await firstEnding(started, deadline, stop);
    const running = { job, started, processes, startedAt, deadline, output, stop, resources };
    return ending.cause === 'ended' ? await settleEnded(running, ending) : settleStopped(running, ending.cause);
  } finally {
    stdin.release();
  }
}

function toProgram(command: ProcessCommand): Program | undefined {
  if (command.kind === 'program') return command;
  const shell = findShell({ platform: process.platform, env: process.env });
  return shell && { file: shell.file, args: [...shell.args, command.text] };
}

/** A callback of the user's must not stop the job that it is told about; Node prints the warning, so it is not silent either. */
function tell(name: string, callback: () => void): void {
  try {
    callback();
  } catch (error) {
    process.emitWarning(`${name} of a process job threw, the job goes on: ${String(error)}`);
  }
}

function tellFirstLine(onFirstLine: NonNullable<ProcessJob['onFirstLine']>, output: JobOutput, deadline: Deadline): void {
  const replaceTimeout = (timeoutMs: number): void => {
    requireNumber('timeoutMs', timeoutMs, 1, longestTimerMs);
    deadline.replace(timeoutMs);
  };
  const watch = new FirstLineWatch((text, isComplete) => tell('onFirstLine', () => onFirstLine({ text, isComplete, replaceTimeout })));
  output.tapStdout((chunk, chunkBytes) => watch.add(chunk, chunkBytes));
}

function firstEnding(started: StartedProcess, deadline: Deadline, stop: StopRequest): Promise<Ending> {
  return new Promise((resolve) => {
    deadline.onReached(() => resolve({ cause: 'timed-out' }));
    stop.handle((reason) => {
      deadline.clear();
      // In the rest of this turn what it has printed so far is read, and perhaps that it has ended.
      setImmediate(() => resolve({ cause: reason }));
    });
    void started.ended.then((end) => {
      deadline.clear();
      resolve({ cause: 'ended', ...end });
    });
  });
}
