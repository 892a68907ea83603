import { mkdirSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { watchInput } from '../io/input-watch.js';
import type { NamedPipes } from '../io/named-pipes.js';
import { JobOutput, type OrphanedStreams } from '../io/output.js';
import type { PrivateDirectory } from '../io/private-directory.js';
import type { StdinFile, StdinFiles } from '../io/stdin.js';
import { writeForOpening, writeUnnamed } from '../io/unnamed-file.js';
import { type JobRoute, onStop, type ProcessJob, type StopSignal } from '../job.js';
import { createJobId, tagEnvironment } from '../kill/job-ids.js';
import type { JobProcesses } from '../kill/job-processes.js';
import type { TrackedJobs } from '../kill/tracked-jobs.js';
import type { SetupTexts } from '../lanes/job-setup.js';
import { notBegun } from '../lanes/lane.js';
import type { LanePool } from '../lanes/lane-pool.js';
import { direct } from '../lanes/route.js';
import { startInLane, type TakenLane, takeLane } from '../lanes/start-in-lane.js';
import type { SpawnerLimits } from '../limits.js';
import type { OnePerTurn } from '../one-per-turn.js';
import { type Attempt, type ProcessEnd, retryTransient, type SpawnedProcess, spawnProcess } from './spawn-process.js';

/** Resources that all jobs of a spawner share. */
export interface JobResources {
  readonly limits: SpawnerLimits;
  readonly directory: PrivateDirectory;
  readonly stdinFiles: StdinFiles;
  readonly namedPipes: NamedPipes;
  /** Lets one start per turn of the event loop continue, because each start blocks the loop for 2 ms or more. */
  readonly throttle: OnePerTurn;
  /** Present if jobs may be started by resident shells. */
  readonly lanes: LanePool | undefined;
  /** Texts that lanes need to start jobs. */
  readonly setups: SetupTexts;
  /** Starts in progress. The start of a stopped job is in the set until it has closed its streams. */
  readonly starts: Set<Promise<unknown>>;
  readonly jobs: TrackedJobs;
  readonly orphanedStreams: OrphanedStreams;
}

/** The program to start, which may be the shell. */
export interface Program {
  readonly file: string;
  readonly args: readonly string[];
}

/** The lane that a job has received, if there is one. */
interface Turn {
  readonly taken: TakenLane | undefined;
  readonly route: JobRoute | undefined;
}

/** The standard streams of one job. */
interface JobStreams {
  readonly stdin: StdinFile;
  readonly output: JobOutput;
}

export interface StartedJob extends JobStreams {
  readonly spawned: SpawnedProcess;
  /** The processes of the job. They are already tracked. */
  readonly processes: JobProcesses;
  /** The time of the first attempt to start the process. The timeout of the job begins here. */
  readonly startedAt: number;
  /** Present if the job has `watchesInput`. The descriptor of the input is open until the job is released. */
  readonly isInputUnread?: () => boolean;
  /** Whether the process has already ended. Its output was not read yet. */
  readonly isEnding: boolean;
  /** How the job was started. Absent if the spawner uses no lanes. */
  readonly route: JobRoute | undefined;
  /** Present if a lane runs the job. Call it when the job has ended. `isClean`: the job left no process. */
  readonly leaveLane?: TakenLane['leave'];
}

/**
 * Opens the streams of a job and starts its process. Retries transient failures. Closes the streams after a failure. If the job is stopped,
 * settles at once; a slow step such as `mkfifo` then ends in the background, and the streams are closed after it.
 */
export async function startJob(
  job: ProcessJob,
  program: Program,
  signal: StopSignal,
  resources: JobResources,
): Promise<Attempt<StartedJob>> {
  const jobId = createJobId(job.jobKind);
  let startedAt: number | undefined;
  let unprepared: JobRoute | undefined;
  let forgetSignal = (): void => {};
  let listen = (): void => {};
  const stopped = new Promise<Attempt<StartedJob>>((resolve) => {
    listen = () => {
      forgetSignal = onStop(signal, () => resolve({ error: stoppedError() }));
    };
  });
  listen();
  const starting = retryTransient(attempt, job.timeoutMs, signal);
  resources.starts.add(starting);
  const forgetStart = (): void => {
    forgetSignal();
    resources.starts.delete(starting);
  };
  void starting.then(forgetStart, forgetStart);
  return Promise.race([starting, stopped]);

  async function attempt(): Promise<Attempt<StartedJob>> {
    let taken: TakenLane | undefined;
    let streams: JobStreams;
    let route: JobRoute | undefined;
    try {
      ({ taken, route } = await takeTurn());
      streams = await openStreams(job, signal, resources, taken);
      // A direct start blocks the event loop, so it waits for its turn.
      if (taken === undefined) await resources.throttle.take();
    } catch (error) {
      taken?.leave(true);
      startedAt ??= performance.now();
      return { error: error as NodeJS.ErrnoException };
    }
    const { stdin, output } = streams;
    if (signal.aborted || !mayStart(job)) {
      taken?.leave(true);
      return closeStreams(streams, signal.aborted ? stoppedError() : startRefused);
    }
    job.directories?.forEach(createDirectory);
    startedAt ??= performance.now();
    let processes: JobProcesses | undefined;
    const isInputUnread = job.watchesInput ? watchInput(stdin.fd) : undefined;
    const onPid = (group: number): void => {
      // From here on, a stop kills the process.
      forgetSignal();
      // The job is tracked at once. If our process exits before the next turn of the event loop, it must kill the job.
      processes = { group, jobId, lane: taken?.lane };
      resources.jobs.add(processes);
    };
    // The lane decides whether the command of a stopped job has begun. If it has, the stop must kill it.
    if (taken !== undefined) forgetSignal();
    const start =
      taken === undefined
        ? await spawnProcess({ ...program, cwd: job.cwd, env: tagEnvironment(job.env, jobId), stdio: [stdin.fd, ...output.stdio] }, onPid)
        : await startInLane({ job, jobId, stdin: stdin.fd, signal }, taken.lane, resources, onPid);
    if ('error' in start || processes === undefined) {
      const error = 'error' in start ? start.error : new Error('no process');
      // A setup that failed has printed its error to the FIFOs of the lane. The next job must not have it in its output.
      taken?.leave(error !== notBegun);
      if (error === notBegun) unprepared = direct(notBegun.message);
      // A stop also ends the wait for the next attempt.
      if (taken !== undefined) listen();
      return closeStreams(streams, error);
    }
    output.read(start.spawned.streams);
    const spawned = taken === undefined ? start.spawned : { ...start.spawned, ended: endAfterOutput(start.spawned, output) };
    const isEnding = 'hasEnded' in start && start.hasEnded === true;
    const leaveLane = taken === undefined ? {} : { leaveLane: taken.leave };
    const started = { ...streams, spawned, processes, startedAt, route, isEnding, ...leaveLane };
    if (isInputUnread === undefined) {
      stdin.close();
      return started;
    }
    const release = (): void => {
      stdin.close();
      stdin.release();
    };
    return { ...started, stdin: { ...stdin, release }, isInputUnread };
  }

  /**
   * Resolves to the end of a job in a lane when its output was read. The caller receives the first line in an earlier turn of the event loop
   * than the end, as it does with a direct start.
   */
  async function endAfterOutput({ ended }: SpawnedProcess, output: JobOutput): Promise<ProcessEnd> {
    const end = await ended;
    if (job.onFirstLine !== undefined) await nextTurn();
    output.readRest();
    if (job.onFirstLine !== undefined) await nextTurn();
    return end;
  }

  /** Returns a lane for the job, or the reason for a direct start. */
  async function takeTurn(): Promise<Turn> {
    const { lanes } = resources;
    if (lanes === undefined || unprepared !== undefined) return { taken: undefined, route: unprepared };
    const taken = await takeLane(job, { file: program.file, args: ['-c'] }, lanes);
    return 'lane' in taken ? { taken, route: inLane } : { taken: undefined, route: taken };
  }
}

const inLane: JobRoute = { kind: 'lane' };

/** Means that `mayStart` returned false. Used only in this package; the result of the job is `not-started`. */
export const startRefused = new Error('the caller refused the start');

/** Asks the caller whether the job may start. */
export function mayStart(job: ProcessJob): boolean {
  try {
    return job.mayStart?.() !== false;
  } catch {
    return false;
  }
}

export function createDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  } catch {
    // The process reports the missing directory if it needs it.
  }
}

/** Ends the start. Users do not see this error but `not-started`. */
function stoppedError(): Error {
  return new Error('the job was stopped before it started');
}

/** Opens all streams or none. Rejects with the errno of the failure, or with NoRoom. */
async function openStreams(
  job: ProcessJob,
  signal: StopSignal,
  { directory, stdinFiles, namedPipes, limits }: JobResources,
  taken: TakenLane | undefined,
): Promise<JobStreams> {
  const caps = { stdoutBytes: job.stdoutBytes ?? limits.stdoutBytes, stderrBytes: job.stderrBytes ?? limits.stderrBytes };
  const output = taken === undefined ? await JobOutput.open(directory, namedPipes, caps) : JobOutput.ofLane(caps, taken.lane.fifos.lend());
  try {
    // A lane opens the file once more, by our descriptor.
    const write = taken === undefined ? writeUnnamed : writeForOpening;
    return { stdin: await stdinFiles.open(directory, job.stdin, signal, write), output };
  } catch (error) {
    output.discard();
    throw error;
  }
}

function closeStreams({ stdin, output }: JobStreams, error: NodeJS.ErrnoException): { readonly error: NodeJS.ErrnoException } {
  stdin.close();
  stdin.release();
  output.discard();
  return { error };
}
