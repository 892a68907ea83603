import { accessSync, closeSync, constants } from 'node:fs';
import type { PrivateDirectory } from '../io/private-directory.js';
import { writeUnnamed } from '../io/unnamed-file.js';
import type { ProcessJob, StartRoute } from '../job.js';
import type { JobProcesses } from '../kill/job-processes.js';
import { jobVariable } from '../kill/nesting.js';
import type { TrackedJobs } from '../kill/tracked-jobs.js';
import type { Attempt, Shell, SpawnedProcess } from '../run/spawn-process.js';
import { setupText } from './job-setup.js';
import { type Lane, longestAnswerMs } from './lane.js';
import type { LanePool } from './lane-pool.js';
import { direct, routeOf } from './route.js';

/** Milliseconds after which a lane is killed that does not report the end of a job whose processes are gone. */
const longestReportMs = 2000;

/** A lane that one job uses. */
export interface TakenLane {
  readonly lane: Lane;
  /** Returns the lane to the pool once the job has ended. `isClean`: the job left no process. */
  leave(isClean: boolean): void;
}

/** Returns a lane for a job, or why the job must be started directly. Rejects with the errno of a start that failed. */
export async function takeLane(job: ProcessJob, shell: Shell, pool: LanePool): Promise<TakenLane | Exclude<StartRoute, { kind: 'lane' }>> {
  const route = routeOf(job, shell);
  if (route.kind === 'direct') return route;
  // A direct start reports why the directory cannot be entered.
  if (!canEnter(job.cwd)) return direct('its working directory cannot be entered');
  const lane = await pool.take(shell);
  if (lane === undefined) return direct(pool.unusable ?? 'the spawner is being disposed');
  const leave = (isClean: boolean): void => {
    const timer = setTimeout(() => lane.kill(), longestReportMs).unref();
    void lane.idle.then(() => {
      clearTimeout(timer);
      pool.release(lane, isClean);
    });
  };
  return { lane, leave };
}

/** The parts of a job that a lane needs. */
export interface LaneStart {
  readonly job: ProcessJob;
  readonly env: Readonly<Record<string, string>>;
  readonly jobId: string;
  readonly stdin: number;
  /** stdout and stderr. */
  readonly output: readonly number[];
}

/**
 * Starts a job in a lane, and calls `onPid` with its process. Until its process is known, the job is tracked as the lane itself, so that
 * the exit of our process kills it.
 */
export async function startInLane(
  { job, env, jobId, stdin, output }: LaneStart,
  lane: Lane,
  { jobs, directory }: { readonly jobs: TrackedJobs; readonly directory: PrivateDirectory },
  onPid: (pid: number) => void,
): Promise<Attempt<{ readonly spawned: SpawnedProcess }>> {
  const submitted: JobProcesses = { group: lane.pid, jobId, lane };
  const { [jobVariable]: jobIds = jobId, ...rest } = env;
  const text = job.command.kind === 'shell' ? job.command.text : '';
  let setup: number;
  try {
    const bytes = Buffer.from(setupText(text, { cwd: job.cwd, env: rest }, lane.locale));
    setup = directory.use(bytes.length, (path) => writeUnnamed(path, bytes));
  } catch (error) {
    return { error: error as NodeJS.ErrnoException };
  }
  jobs.add(submitted);
  const longestMs = Math.min(longestAnswerMs, job.timeoutMs);
  const start = await lane.run({ descriptors: [stdin, ...output, setup], jobIds, longestMs }, (pid) => {
    jobs.release(submitted);
    onPid(pid);
  });
  if ('error' in start) {
    closeSync(setup);
    // The lane may have forked the job before it was lost.
    void jobs.kill(submitted, 0);
  } else void start.spawned.ended.then(() => closeSync(setup));
  return start;
}

function canEnter(directory: string): boolean {
  try {
    accessSync(directory, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
