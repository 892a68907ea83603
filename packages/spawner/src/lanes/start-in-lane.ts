import type { JobOutput } from '../io/output.js';
import type { PrivateDirectory } from '../io/private-directory.js';
import type { JobRoute, ProcessJob, StopSignal } from '../job.js';
import { listJobIds, withoutMode } from '../kill/job-ids.js';
import type { JobProcesses } from '../kill/job-processes.js';
import { jobVariable } from '../kill/nesting.js';
import type { TrackedJobs } from '../kill/tracked-jobs.js';
import { canEnter } from '../run/failure.js';
import type { Attempt, Shell, SpawnedProcess } from '../run/spawn-process.js';
import type { SetupTexts } from './job-setup.js';
import { type Lane, longestAnswerMs } from './lane.js';
import type { LanePool } from './lane-pool.js';
import { direct, routeOf } from './route.js';
import { SetupFile } from './setup-file.js';
import { quote } from './shell-words.js';

/** A job with a short timeout waits at least this long for its process, because a busy machine may need as long for any process. */
const leastAnswerMs = 250;

/** Milliseconds after which a lane is killed that does not report the end of a job whose processes are gone. */
const longestReportMs = 2000;

/** A lane that one job uses. */
export interface TakenLane {
  readonly lane: Lane;
  /** Returns the lane to the pool once the job has ended. `output` is that of the job, if it has started. `isClean`: it left no process. */
  leave(isClean: boolean, output?: JobOutput): void;
}

/** Returns a lane for a job, or why the job must be started directly. Rejects with the errno of a start that failed. */
export async function takeLane(job: ProcessJob, shell: Shell, pool: LanePool): Promise<TakenLane | Extract<JobRoute, { reason: string }>> {
  const route = routeOf(job, shell);
  if ('reason' in route) return route;
  // A direct start reports why the directory cannot be entered.
  if (!canEnter(job.cwd)) return direct('its working directory cannot be entered');
  const lane = await pool.take(shell, job.laneGroup ?? '');
  if (typeof lane === 'string') return direct(lane);
  const leave = (isClean: boolean, output?: JobOutput): void => {
    const isReusable = output?.giveBack() ?? true;
    lane.fifos.takeBack(isReusable);
    if (lane.isIdle) {
      pool.release(lane, isClean && isReusable);
      return;
    }
    const timer = setTimeout(() => lane.kill(), longestReportMs).unref();
    void lane.idle.then(() => {
      clearTimeout(timer);
      pool.release(lane, isClean && isReusable);
    });
  };
  return { lane, leave };
}

/** The parts of a job that a lane needs. */
export interface LaneStart {
  readonly job: ProcessJob;
  readonly jobId: string;
  readonly stdin: number;
  readonly signal: StopSignal;
}

/** What the jobs of all lanes share. */
export interface LaneResources {
  readonly jobs: TrackedJobs;
  readonly directory: PrivateDirectory;
  readonly setups: SetupTexts;
}

/**
 * Starts a job in a lane, and calls `onPid` with its process. Until its process is known, the job is tracked as the lane itself, so that
 * the exit of our process kills it.
 */
export async function startInLane(
  { job, jobId, stdin, signal }: LaneStart,
  lane: Lane,
  { jobs, directory, setups }: LaneResources,
  onPid: (pid: number) => void,
): Promise<Attempt<{ readonly spawned: SpawnedProcess; readonly hasEnded: boolean }>> {
  const submitted: JobProcesses = { group: lane.pid, jobId, lane };
  const text = job.command.kind === 'shell' ? job.command.text : '';
  let setup: SetupFile;
  let isCall: boolean;
  try {
    const own = setups.read({ text, cwd: job.cwd, env: withoutMode(job.env), locale: lane.locale });
    isCall = own.isCall;
    setup = new SetupFile(directory, `${own.text} && export ${jobVariable}=${quote(listJobIds(job.env, jobId))}`);
  } catch (error) {
    return { error: error as NodeJS.ErrnoException };
  }
  jobs.add(submitted);
  const longestMs = Math.max(leastAnswerMs, Math.min(longestAnswerMs, job.timeoutMs));
  const start = await lane.run({ stdin, setup, isCall, longestMs, signal }, (pid) => {
    jobs.release(submitted);
    onPid(pid);
  });
  if ('error' in start) jobs.release(submitted);
  // Until the job has ended, or the lane, the lane may open the file by the number of our descriptor.
  void lane.idle.then(() => (lane.hasEnded ? setup.closeLate() : setup.close()));
  return start;
}
