import { onAbort } from '@tenterhook/runtime/async';
import { NamedPipes } from './io/named-pipes.js';
import { OrphanedStreams } from './io/output.js';
import { PrivateDirectory } from './io/private-directory.js';
import { StdinFiles } from './io/stdin.js';
import { checkJob, onStop, type ProcessExit, type ProcessJob, type Spawner, type StopReason, type StopSignal } from './job.js';
import { atExit } from './kill/at-exit.js';
import { TrackedJobs } from './kill/tracked-jobs.js';
import { LanePool } from './lanes/lane-pool.js';
import { Limiter } from './limiter.js';
import { resolveLimits, resolveOptions, type SpawnerLimits, type SpawnerOptions } from './limits.js';
import { OnePerTurn } from './one-per-turn.js';
import { unrunnable } from './run/failure.js';
import { disposeGraceMs, runJob } from './run/run-job.js';
import type { JobResources } from './run/start.js';

/** Creates a spawner with these limits. Before its first job it opens no file and adds no listener. */
export function createSpawner(limits: Partial<SpawnerLimits> = {}, options: SpawnerOptions = {}): Spawner {
  return new BoundedSpawner(resolveLimits(limits), resolveOptions(options));
}

class BoundedSpawner implements Spawner {
  readonly #limiter: Limiter;
  readonly #keepAlive = new KeepAlive();
  readonly #resources: JobResources;
  /** One entry per job that has not settled. */
  readonly #unsettled = new Map<AbortController, Promise<ProcessExit>>();
  #forgetExit: (() => void) | undefined;
  #disposing: Promise<void> | undefined;

  constructor(limits: SpawnerLimits, { spawner }: Required<SpawnerOptions>) {
    this.#limiter = new Limiter(limits.concurrency);
    const directory = new PrivateDirectory();
    const throttle = new OnePerTurn();
    this.#resources = {
      limits,
      directory,
      lanes: spawner === 'lanes' ? new LanePool(directory, throttle) : undefined,
      stdinFiles: new StdinFiles(),
      namedPipes: new NamedPipes(),
      throttle,
      starts: new Set(),
      jobs: new TrackedJobs(),
      orphanedStreams: new OrphanedStreams(),
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

    this.#forgetExit ??= atExit(() => this.#leaveNothing());
    // Each job has its own controller. `AbortSignal.any` was rejected: on Node 20 the combined signal leaks memory as long as one of its
    // sources exists.
    const control = new AbortController();
    const forgetSignal = job.signal && onAbort(job.signal, () => abort(control, 'cancelled'));
    this.#keepAlive.ref();
    const settled = this.#enter(job, control.signal).finally(() => {
      this.#keepAlive.unref();
      forgetSignal?.();
      this.#unsettled.delete(control);
    });
    this.#unsettled.set(control, settled);
    return settled;
  }

  dispose(): Promise<void> {
    this.#disposing ??= this.#dispose();
    return this.#disposing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  /** Queues the job. Resolves when it has settled; its slot may be held longer. */
  #enter(job: ProcessJob, signal: StopSignal): Promise<ProcessExit> {
    return new Promise((resolve) => {
      const leave = this.#limiter.enter(async () => {
        // Until here the signal ended the wait in the queue. From here on it stops the start and the process.
        forgetSignal();
        resolve(await runJob(job, signal, this.#resources).catch(toFailure));
        await this.#untilKillingIsBounded();
      });
      const forgetSignal = onStop(signal, (reason) => {
        leave();
        resolve(notStarted(reason));
      });
    });
  }

  /**
   * Delays the release of a slot while more jobs are being killed than may run. Normally a killed job frees its slot at once, so that a
   * hook that ignores SIGTERM does not delay others. Without this limit, hooks with short timeouts would pile up processes (field failure
   * 32).
   */
  async #untilKillingIsBounded(): Promise<void> {
    const { jobs, limits } = this.#resources;
    while (jobs.dying > limits.concurrency) {
      jobs.hurryOldest(disposeGraceMs);
      await jobs.oneGone();
    }
  }

  async #dispose(): Promise<void> {
    this.#keepAlive.ref();
    for (const control of this.#unsettled.keys()) abort(control, 'disposed');
    await Promise.all(this.#unsettled.values());
    await Promise.allSettled(this.#resources.starts);
    await this.#resources.jobs.hurry(disposeGraceMs);
    await this.#resources.lanes?.close();
    this.#resources.jobs.close();
    this.#resources.orphanedStreams.stop();
    await this.#resources.namedPipes.close();
    this.#resources.directory.remove();
    this.#forgetExit?.();
    this.#keepAlive.unref();
  }

  #leaveNothing(): void {
    this.#resources.lanes?.killNow();
    this.#resources.jobs.killNow();
    this.#resources.directory.remove();
  }
}

function notStarted(reason: 'cancelled' | 'disposed' | 'overloaded'): ProcessExit {
  return { kind: 'not-started', reason, durationMs: 0 };
}

/** Stops a job. All calls go through this function, so that `reason` always has the type StopReason. */
function abort(control: AbortController, reason: StopReason): void {
  control.abort(reason);
}

/** Converts an unexpected error, e.g. a failed write of an input, to a result, because run() must never reject. */
function toFailure(error: unknown): ProcessExit {
  const { code, message } = error as NodeJS.ErrnoException;
  return unrunnable(code ?? 'internal_error', `the process could not be run to its end: ${message}`);
}

/** The interval of the timer. Any long one works: its callback does nothing. */
const idleMs = 3_600_000;

/**
 * Keeps the event loop alive while a job has not settled, and during dispose(). Only this class decides when our process must stay alive,
 * so the other timers of this package are unreferenced.
 */
class KeepAlive {
  #references = 0;
  #timer: NodeJS.Timeout | undefined;

  ref(): void {
    this.#references += 1;
    this.#timer ??= setInterval(() => {}, idleMs);
  }

  unref(): void {
    this.#references -= 1;
    if (this.#references > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
