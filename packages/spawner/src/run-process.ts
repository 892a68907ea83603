import { findInvalidInput } from './check-job.js';
import { type ProcessEnd, type StartedProcess, startDirectly } from './direct-spawn.js';
import { type JobFiles, openJobFiles } from './job-files.js';
import { createJobId, markEnvironment } from './job-marker.js';
import type { JobResources } from './job-resources.js';
import type { ProcessCommand, ProcessExit, ProcessJob } from './process-job.js';
import { removeFiles } from './remove-files.js';
import { type Attempt, retryTransient } from './retry-transient.js';
import { settleEnded, settleStopped } from './settle-process.js';
import { findShell } from './shell.js';
import { describeFailure, findMissingDirectory, missingShell, spawnFailed } from './spawn-failure.js';
import type { StopReason, StopRequest } from './stop-request.js';

type Ending = ({ readonly cause: 'ended' } & ProcessEnd) | { readonly cause: 'timed-out' } | { readonly cause: StopReason };

/**
 * The life of one process: look at the job, open its files, start it, wait for the first of its end, its deadline and an order to stop, settle.
 * Another route than a direct spawn (a resident shell) has to start a process and to tell its end; everything else here is the same for it.
 */
export async function runProcess(id: number, job: ProcessJob, stop: StopRequest, resources: JobResources): Promise<ProcessExit> {
  const invalid = findInvalidInput(job);
  if (invalid !== undefined) return spawnFailed('invalid_input', invalid);
  const missingDirectory = findMissingDirectory(job.cwd);
  if (missingDirectory !== undefined) return missingDirectory;
  const program = toProgram(job.command);
  if (program === undefined) return missingShell();

  const startedAt = performance.now();
  const jobId = createJobId();
  const start = await retryTransient(() => startWithFiles(id, jobId, program, job, resources), job.timeoutMs, stop);
  if ('error' in start) {
    if (stop.reason !== undefined) return { status: 'not-started', reason: stop.reason, durationMs: 0 };
    return describeFailure(job, start.error, program.file);
  }
  const { started, stdin, output } = start;
  const processes = { group: started.pid, jobId };
  try {
    resources.jobs.add(processes);
    output.keepBounded();
    tellStart(job, started.pid);
    const ending = await firstEnding(started, Math.max(1, job.timeoutMs - (performance.now() - startedAt)), stop);
    const running = { job, started, processes, startedAt, output, stop, resources };
    return ending.cause === 'ended' ? await settleEnded(running, ending) : settleStopped(running, ending.cause);
  } finally {
    stdin.release();
  }
}

type StartedJob = JobFiles & { readonly started: StartedProcess };

/** One attempt; a failed one leaves nothing behind. */
async function startWithFiles(
  id: number,
  jobId: string,
  program: Program,
  job: ProcessJob,
  resources: JobResources,
): Promise<Attempt<StartedJob>> {
  let files: JobFiles;
  try {
    files = openJobFiles(id, job, resources);
  } catch (error) {
    return { error: error as NodeJS.ErrnoException };
  }
  const { stdin, output } = files;
  const env = markEnvironment(job.env, jobId);
  const start = await startDirectly({ ...program, cwd: job.cwd, env, stdio: [stdin.fd, ...output.descriptors] });
  stdin.close();
  if ('started' in start) return { ...files, ...start };
  output.close(removeFiles);
  stdin.release();
  return start;
}

interface Program {
  readonly file: string;
  readonly args: readonly string[];
}

function toProgram(command: ProcessCommand): Program | undefined {
  if (command.kind === 'program') return command;
  const shell = findShell({ platform: process.platform, env: process.env });
  return shell && { file: shell.file, args: [...shell.args, command.text] };
}

/** A callback of the user's must not stop the job that it is told about; Node prints the warning, so it is not silent either. */
function tellStart(job: ProcessJob, pid: number): void {
  try {
    job.onStart?.({ pid });
  } catch (error) {
    process.emitWarning(`onStart of a process job threw, the job goes on: ${String(error)}`);
  }
}

function firstEnding(started: StartedProcess, timeoutMs: number, stop: StopRequest): Promise<Ending> {
  return new Promise((resolve) => {
    // When the agent itself blocked the loop past the deadline, the timer comes before the news that the process ended in time; the rest of
    // this turn of the loop brings the news. An answer that is there must not be thrown away: it may be a deny.
    const deadline = setTimeout(() => setImmediate(() => resolve({ cause: 'timed-out' })), timeoutMs).unref();
    stop.handle((reason) => {
      clearTimeout(deadline);
      resolve({ cause: reason });
    });
    void started.ended.then((end) => {
      clearTimeout(deadline);
      resolve({ cause: 'ended', ...end });
    });
  });
}
