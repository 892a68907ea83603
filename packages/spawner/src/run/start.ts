import { type StartedProcess, startDirectly } from './spawn-process.js';
import { createJobId, markEnvironment } from '../kill/job-env-tag.js';
import type { JobProcesses } from '../job-processes.js';
import type { JobResources } from '../job-resources.js';
import { type JobStreams, openJobStreams } from '../job-streams.js';
import { NoPrivateDirectory } from '../io/private-directory.js';
import type { ProcessJob } from '../job.js';
import { type Attempt, retryTransient } from '../retry-transient.js';
import type { StopRequest } from '../cancellation.js';

/** What is started, the shell included. */
export interface Program {
  readonly file: string;
  readonly args: readonly string[];
}

export interface StartedJob extends JobStreams {
  readonly started: StartedProcess;
  /** Tracked already. */
  readonly processes: JobProcesses;
  /** When its process was to start: that of the first attempt, because what a machine refuses for a moment is part of the job's time. */
  readonly startedAt: number;
}

/** Opens the streams of a job and starts its process; what the machine refuses for a moment is tried again. A failure leaves nothing behind. */
export async function startJob(
  job: ProcessJob,
  program: Program,
  stop: StopRequest,
  resources: JobResources,
): Promise<Attempt<StartedJob>> {
  const jobId = createJobId();
  const env = markEnvironment(job.env, jobId);
  let startedAt: number | undefined;
  return retryTransient(attempt, job.timeoutMs, stop);

  async function attempt(): Promise<Attempt<StartedJob>> {
    let streams: JobStreams;
    try {
      streams = await openJobStreams(job, resources);
    } catch (error) {
      startedAt ??= performance.now();
      return { error: whatFailed(error as NodeJS.ErrnoException) };
    }
    const { stdin, output } = streams;
    await resources.loopTurn.take();
    if (stop.reason !== undefined) return giveBack(streams, new Error('the job was stopped before it began'));
    startedAt ??= performance.now();
    let processes: JobProcesses | undefined;
    const request = { ...program, cwd: job.cwd, env, stdio: [stdin.fd, ...output.stdio] } as const;
    const start = await startDirectly(request, (group) => {
      // At once: our process may end before the next turn.
      processes = { group, jobId };
      resources.jobs.add(processes);
    });
    if ('error' in start || processes === undefined) return giveBack(streams, 'error' in start ? start.error : new Error('no process'));
    stdin.close();
    output.read(start.started);
    return { ...streams, ...start, processes, startedAt };
  }
}

/** Elsewhere "no such file" means the program. */
function whatFailed(error: NodeJS.ErrnoException): NodeJS.ErrnoException {
  if (error.code !== 'ENOENT') return error;
  return new NoPrivateDirectory(`the private directory was removed while a job began (${error.message}): try again`);
}

function giveBack({ stdin, output }: JobStreams, error: NodeJS.ErrnoException): { readonly error: NodeJS.ErrnoException } {
  stdin.close();
  stdin.release();
  output.discard();
  return { error };
}
