import { checkJob } from './check-job.js';
import { Fifos } from './io/named-pipes.js';
import { HoldOpen } from './hold-open.js';
import type { JobResources } from './job-resources.js';
import { LeftoverOutputs } from './leftover-outputs.js';
import { Limiter } from './limiter.js';
import { resolveLimits, type SpawnerLimits } from './limits.js';
import { LoopTurn } from './loop-turn.js';
import { onAbort } from './on-abort.js';
import { PrivateDirectory } from './io/private-directory.js';
import { onProcessExit } from './kill/at-exit.js';
import type { ProcessExit, ProcessJob, Spawner } from './job.js';
import { runProcess } from './run/run-job.js';
import { disposeGraceMs } from './settle-process.js';
import { spawnFailed } from './run/failure.js';
import { StdinFiles } from './io/stdin.js';
import { StopRequest } from './cancellation.js';
import { TrackedJobs } from './kill/tracked-jobs.js';

/** A spawner with these bounds. Nothing is opened, made or listened to before its first job. */
export function createSpawner(limits: Partial<SpawnerLimits> = {}): Spawner {
  return new BoundedSpawner(resolveLimits(limits));
}

class BoundedSpawner implements Spawner {
  readonly #limiter: Limiter;
  readonly #holdOpen = new HoldOpen();
  readonly #resources: JobResources;
  /** Of every job that has not settled. */
  readonly #unsettled = new Map<StopRequest, Promise<ProcessExit>>();
  #stopListening: (() => void) | undefined;
  #disposing: Promise<void> | undefined;

  constructor(limits: SpawnerLimits) {
    this.#limiter = new Limiter(limits.concurrency);
    this.#resources = {
      limits,
      directory: new PrivateDirectory(),
      stdinFiles: new StdinFiles(),
      jobs: new TrackedJobs(),
      fifos: new Fifos(),
      loopTurn: new LoopTurn(),
      leftoverOutputs: new LeftoverOutputs(),
    };
  }

  get running(): number {
    return this.#unsettled.size - this.queued;
  }

  get queued(): number {
    return this.#limiter.queued;
  }

  run(job: ProcessJob): Promise<ProcessExit> {
    checkJob(job);
    if (this.#disposing !== undefined) return Promise.resolve(notStarted('disposed'));
    if (job.signal?.aborted) return Promise.resolve(notStarted('cancelled'));
    const { limits } = this.#resources;
    if (!this.#limiter.hasFreeSlot && this.queued >= limits.queued) return Promise.resolve(notStarted('overloaded'));

    this.#stopListening ??= onProcessExit(() => this.#leaveNothing());
    const stop = new StopRequest();
    const forgetSignal = onAbort(job.signal, () => stop.request('cancelled'));
    this.#holdOpen.hold();
    const settled = this.#enter(job, stop).finally(() => {
      this.#holdOpen.letGo();
      forgetSignal();
      this.#unsettled.delete(stop);
    });
    this.#unsettled.set(stop, settled);
    return settled;
  }

  dispose(): Promise<void> {
    this.#disposing ??= this.#dispose();
    return this.#disposing;
  }

  /** Resolves when the job has settled; its slot may be held longer. */
  #enter(job: ProcessJob, stop: StopRequest): Promise<ProcessExit> {
    return new Promise((resolve) => {
      const leave = this.#limiter.enter(async () => {
        // From here on it is whoever starts the process that stops, and then the process.
        stop.handle(() => {});
        resolve(await runProcess(job, stop, this.#resources).catch(toFailure));
        await this.#untilKillingIsBounded();
      });
      stop.handle((reason) => {
        leave();
        resolve(notStarted(reason));
      });
    });
  }

  /**
   * A killed job gives its slot to the next one at once: a hook that ignores SIGTERM must not hold others up for its grace. Only when as many jobs
   * are dying as may run, slots wait for one of them, so that short deadlines cannot pile processes up without bound (field failure 32).
   */
  async #untilKillingIsBounded(): Promise<void> {
    const { jobs, limits } = this.#resources;
    while (jobs.dying > limits.concurrency) {
      jobs.hurryOldest(disposeGraceMs);
      await jobs.oneGone();
    }
  }

  async #dispose(): Promise<void> {
    this.#holdOpen.hold();
    for (const stop of this.#unsettled.keys()) stop.request('disposed');
    await Promise.all(this.#unsettled.values());
    await this.#resources.jobs.hurry(disposeGraceMs);
    this.#resources.jobs.close();
    this.#resources.leftoverOutputs.stop();
    this.#resources.directory.remove();
    this.#stopListening?.();
    this.#holdOpen.letGo();
  }

  #leaveNothing(): void {
    this.#resources.jobs.killNow();
    this.#resources.directory.remove();
  }
}

function notStarted(reason: 'cancelled' | 'disposed' | 'overloaded'): ProcessExit {
  return { status: 'not-started', reason, durationMs: 0 };
}

/** The last resort of "run() never rejects": the machine failed where nothing is expected to, for example while an input was written. */
function toFailure(error: unknown): ProcessExit {
  const { code, message } = error as NodeJS.ErrnoException;
  return spawnFailed(code ?? 'internal_error', `the process could not be run to its end: ${message}`);
}
