import { mkdirSync } from 'node:fs';
import { watchInput } from '../io/input-watch.js';
import type { NamedPipes } from '../io/named-pipes.js';
import { JobOutput, type OrphanedStreams } from '../io/output.js';
import type { PrivateDirectory } from '../io/private-directory.js';
import type { StdinFile, StdinFiles } from '../io/stdin.js';
import { onStop, type ProcessJob, type StartRoute, type StopSignal } from '../job.js';
import { createJobId, tagEnvironment } from '../kill/job-ids.js';
import type { JobProcesses } from '../kill/job-processes.js';
import type { TrackedJobs } from '../kill/tracked-jobs.js';
import type { LanePool } from '../lanes/lane-pool.js';
import { direct } from '../lanes/route.js';
import { startInLane, type TakenLane, takeLane } from '../lanes/start-in-lane.js';
import type { SpawnerLimits } from '../limits.js';
import type { OnePerTurn } from '../one-per-turn.js';
import { type Attempt, retryTransient, type SpawnedProcess, spawnProcess } from './spawn-process.js';

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
  readonly route: StartRoute | undefined;
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
  /** How the job was started. Absent if the spawner uses no lanes. */
  readonly route: StartRoute | undefined;
  /** Present if a lane runs the job. Call it when the job has ended. `isClean`: the job left no process. */
  readonly leaveLane?: (isClean: boolean) => void;
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
  const env = tagEnvironment(job.env, jobId);
  let startedAt: number | undefined;
  let forgetSignal = (): void => {};
  const stopped = new Promise<Attempt<StartedJob>>((resolve) => {
    forgetSignal = onStop(signal, () => resolve({ error: stoppedError() }));
  });
  const starting = retryTransient(attempt, job.timeoutMs, signal);
  resources.starts.add(starting);
  const forgetStart = (): void => {
    forgetSignal();
    resources.starts.delete(starting);
  };
  void starting.then(forgetStart, forgetStart);
  return Promise.race([starting, stopped]);

  async function attempt(): Promise<Attempt<StartedJob>> {
    let streams: JobStreams;
    try {
      streams = await openStreams(job, signal, resources);
    } catch (error) {
      startedAt ??= performance.now();
      return { error: error as NodeJS.ErrnoException };
    }
    const { stdin, output } = streams;
    const turn = await takeTurn(output);
    if ('error' in turn) return closeStreams(streams, turn.error);
    const { taken, route } = turn;
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
    const [stdout, stderr] = output.stdio;
    // A lane forks the process at some time after the submission. From then on, a stop must kill the process.
    if (taken !== undefined) forgetSignal();
    const start =
      taken === undefined
        ? await spawnProcess({ ...program, cwd: job.cwd, env, stdio: [stdin.fd, stdout, stderr] }, onPid)
        : await startInLane({ job, env, jobId, stdin: stdin.fd, output: output.descriptors }, taken.lane, resources, onPid);
    if ('error' in start || processes === undefined) {
      taken?.leave(true);
      return closeStreams(streams, 'error' in start ? start.error : new Error('no process'));
    }
    output.read(start.spawned.streams, taken === undefined ? 0 : watchAfterMs);
    if (taken !== undefined) void start.spawned.ended.then(() => output.readRest());
    const started = { ...streams, ...start, processes, startedAt, route, ...(taken === undefined ? {} : { leaveLane: taken.leave }) };
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

  /** Returns a lane for the job. Without a lane, waits for the turn of the job, because a direct start blocks the event loop. */
  async function takeTurn(output: JobOutput): Promise<Turn | { readonly error: NodeJS.ErrnoException }> {
    const { lanes, throttle } = resources;
    try {
      let route: StartRoute | undefined;
      if (lanes !== undefined) {
        const hasPipes = output.descriptors.length > 0;
        const taken = hasPipes ? await takeLane(job, { file: program.file, args: ['-c'] }, lanes) : direct('the program mkfifo is missing');
        if ('lane' in taken) return { taken, route: { kind: 'lane' } };
        route = taken;
      }
      await throttle.take();
      return { taken: undefined, route };
    } catch (error) {
      return { error: error as NodeJS.ErrnoException };
    }
  }
}

/** Milliseconds after which the output of a job in a lane is watched. Most of these jobs have ended by then. */
const watchAfterMs = 5;

/** Means that `mayStart` returned false. Used only in this package; the result of the job is `not-started`. */
export const startRefused = new Error('the caller refused the start');

function mayStart(job: ProcessJob): boolean {
  try {
    return job.mayStart?.() !== false;
  } catch {
    return false;
  }
}

function createDirectory(directory: string): void {
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
): Promise<JobStreams> {
  const output = await JobOutput.open(directory, namedPipes, {
    stdoutBytes: job.stdoutBytes ?? limits.stdoutBytes,
    stderrBytes: job.stderrBytes ?? limits.stderrBytes,
  });
  try {
    return { stdin: await stdinFiles.open(directory, job.stdin, signal), output };
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
