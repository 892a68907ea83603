import type { StopSignal } from '../job.js';
import { createJobId, modeVariable, tagEnvironment } from '../kill/job-ids.js';
import type { JobProcesses } from '../kill/job-processes.js';
import { type Attempt, retryTransient, spawnProcess } from '../run/spawn-process.js';
import { createDirectory, type JobResources, mayStart, type Program, startRefused } from '../run/start.js';
import type { ResidentJob } from './resident-job.js';
import { ResidentProcess } from './resident-process.js';

/** Starts a resident process. Retries transient failures. Resolves to `startRefused` if the caller refuses the start. */
export async function startResident(
  job: ResidentJob,
  program: Program,
  signal: StopSignal,
  { jobs, limits, throttle }: JobResources,
  onGone: () => void,
): Promise<Attempt<{ readonly started: ResidentProcess }>> {
  const jobId = createJobId(job.jobKind);
  return retryTransient(attempt, job.timeoutMs, signal);

  async function attempt(): Promise<Attempt<{ readonly started: ResidentProcess }>> {
    await throttle.take();
    if (signal.aborted || !isReady(job) || !mayStart(job)) return { error: startRefused };
    job.directories?.forEach(createDirectory);
    let processes: JobProcesses | undefined;
    const start = await spawnProcess(
      {
        file: program.file,
        args: job.command.kind === 'shell' ? withoutProfile(program) : program.args,
        cwd: job.cwd,
        env: { ...tagEnvironment(job.env, jobId), [modeVariable]: 'resident' },
        stdio: ['pipe', 'pipe', 'pipe'],
      },
      (group) => {
        processes = { group, jobId };
        jobs.add(processes);
      },
    );
    if ('error' in start) return start;
    const options = {
      processes: processes as JobProcesses,
      jobs,
      lineBytes: job.stdoutBytes ?? limits.stdoutBytes,
      onGone,
      onStderr: job.onStderr,
    };
    return { started: new ResidentProcess(start.spawned, { ...options, killGraceMs: job.killGraceMs ?? limits.killGraceMs }) };
  }
}

/** Tells the caller that the process is about to start. */
function isReady(job: ResidentJob): boolean {
  try {
    job.beforeStart?.();
    return true;
  } catch {
    return false;
  }
}

/** Bash reads ~/.bashrc if its input is a socket, as for rshd. */
function withoutProfile({ file, args }: Program): readonly string[] {
  return file.endsWith('/bash') ? ['--norc', '--noprofile', ...args] : args;
}
