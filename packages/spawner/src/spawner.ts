import { Cancellation, onAbort } from '@tenterhook/runtime/async';
import { NamedPipes } from './io/named-pipes.js';
import { OrphanedStreams } from './io/output.js';
import { PrivateDirectory } from './io/private-directory.js';
import { StdinFiles } from './io/stdin.js';
import { checkJob, onStop, type ProcessExit, type ProcessJob, type StopReason, type StopSignal } from './job.js';
import { atExit } from './kill/at-exit.js';
import { TrackedJobs } from './kill/tracked-jobs.js';
import { SetupTexts } from './lanes/job-setup.js';
import { LanePool } from './lanes/lane-pool.js';
import { Limiter } from './limiter.js';
import { resolveLimits, resolveOptions, type SpawnerLimits, type SpawnerOptions } from './limits.js';
import { OnePerTurn } from './one-per-turn.js';
import type { ResidentExit, ResidentJob, Residents } from './resident/resident-job.js';
import { ResidentPool } from './resident/resident-pool.js';
import { unrunnable } from './run/failure.js';
import { disposeGraceMs, runJob } from './run/run-job.js';
import { findShell } from './run/spawn-process.js';
import type { JobResources } from './run/start.js';

/**
 * Runs processes.
 * - run() always resolves. It throws a TypeError, synchronously, for wrong arguments such as a `timeoutMs` that is not a number.
 * - Jobs start in the order of run(), at most `concurrency` at once. They may end in any order.
 * - A job settles when its process has exited, even if other processes still have its output open (decision 29).
 * - A job settles at its timeout, whatever its process does (decision 28).
 * - The output of a job is kept up to a limit, and is not written anywhere else.
 * - dispose() never rejects, and may be called at any time and more than once. Later jobs are `not-started` with the reason `disposed`. It
 *   resolves when the private directory is deleted and all processes of running, killed or cancelled jobs are gone.
 */
export interface Spawner {
  run(job: ProcessJob): Promise<ProcessExit>;
  /** Starts a lane before the first job needs it, in the background. Does nothing without lanes. */
  prepare(): void;
  /** Runs jobs in processes that stay alive. */
  readonly residents: Residents;
  /** Number of jobs that have started and have not settled. */
  readonly running: number;
  /** Number of jobs that wait for their turn. */
  readonly queued: number;
  dispose(): Promise<void>;
  /** `dispose()` at the end of a scope: `await using spawner = createSpawner()`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Creates a spawner with these limits. Before its first job it opens no file and adds no listener. */
export function createSpawner(limits: Partial<SpawnerLimits> = {}, options: SpawnerOptions = {}): Spawner {
  return new BoundedSpawner(resolveLimits(limits), resolveOptions(options));
}

class BoundedSpawner implements Spawner {
  readonly residents: Residents;
  readonly #limiter: Limiter;
  readonly #keepAlive = new KeepAlive();
  readonly #resources: JobResources;
  readonly #pool: ResidentPool;
  /** One entry per job that has not settled. */
  readonly #unsettled = new Map<Cancellation, Promise<unknown>>();
  #forgetExit: (() => void) | undefined;
  #disposing: Promise<void> | undefined;

  constructor(limits: SpawnerLimits, { spawner }: Required<SpawnerOptions>) {
    this.#limiter = new Limiter(limits.concurrency);
    const directory = new PrivateDirectory();
    const throttle = new OnePerTurn();
    this.#resources = {
      limits,
      directory,
      lanes:
        spawner === 'direct'
          ? undefined
          : new LanePool(directory, throttle, { mostLanes: limits.concurrency, isWished: spawner === 'lanes' }),
      setups: new SetupTexts(),
      stdinFiles: new StdinFiles(),
      namedPipes: new NamedPipes(),
      throttle,
      starts: new Set(),
      jobs: new TrackedJobs(),
      orphanedStreams: new OrphanedStreams(),
    };
    const pool = new ResidentPool(this.#resources);
    this.#pool = pool;
    this.residents = {
      run: (job) => this.#submit(job, (signal) => this.#answer(job, signal)),
      get size() {
        return pool.size;
      },
      retain: (isKept) => pool.retain(isKept),
    };
  }

  get running(): number {
    return this.#unsettled.size - this.queued;
  }

  get queued(): number {
    return this.#limiter.queued;
  }

  run(job: ProcessJob): Promise<ProcessExit> {
    return this.#submit(job, (signal) => runJob(job, signal, this.#resources));
  }

  #submit<Exit>(job: ProcessJob, work: (signal: StopSignal) => Promise<Exit>): Promise<Exit | ProcessExit> {
    checkJob(job);
    if (this.#disposing !== undefined) return Promise.resolve(notStarted('disposed'));
    if (job.signal?.aborted) return Promise.resolve(notStarted('cancelled'));
    const { limits } = this.#resources;
    if (!this.#limiter.hasFreeSlot && this.queued >= limits.queued) return Promise.resolve(notStarted('overloaded'));

    this.#forgetExit ??= atExit(() => this.#leaveNothing());
    // Each job has its own cancellation. `AbortSignal.any` was rejected: on Node 20 the combined signal leaks memory as long as one of its
    // sources exists.
    const control = new Cancellation();
    const forgetSignal = job.signal && onAbort(job.signal, () => abort(control, 'cancelled'));
    this.#keepAlive.ref();
    const settled = this.#enter(work, control as StopSignal).finally(() => {
      this.#keepAlive.unref();
      forgetSignal?.();
      this.#unsettled.delete(control);
    });
    this.#unsettled.set(control, settled);
    return settled;
  }

  prepare(): void {
    const shell = findShell({ platform: process.platform, env: process.env });
    if (shell === undefined || this.#disposing !== undefined || this.#resources.lanes === undefined) return;
    this.#forgetExit ??= atExit(() => this.#leaveNothing());
    void this.#resources.lanes.prepare(shell);
  }

  dispose(): Promise<void> {
    this.#disposing ??= this.#dispose();
    return this.#disposing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  /** Queues the job. Resolves when it has settled; its slot may be held longer. */
  #enter<Exit>(work: (signal: StopSignal) => Promise<Exit>, signal: StopSignal): Promise<Exit | ProcessExit> {
    return new Promise((resolve) => {
      const leave = this.#limiter.enter(async () => {
        // Until here the signal ended the wait in the queue. From here on it stops the start and the process.
        forgetSignal();
        resolve(await work(signal).catch(toFailure));
        await this.#untilKillingIsBounded();
      });
      const forgetSignal = onStop(signal, (reason) => {
        leave();
        resolve(notStarted(reason));
      });
    });
  }

  /** Runs the job in its resident process, or else in a process of its own, without a second wait in the queue. */
  async #answer(job: ResidentJob, signal: StopSignal): Promise<ResidentExit> {
    const exit = await this.#pool.run(job, signal);
    if (exit.kind !== 'cold') return exit;
    const cold = await runJob(job, signal, this.#resources);
    return 'stdout' in cold ? { ...cold, route: exit } : cold;
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
    const closed = this.#pool.close(disposeGraceMs);
    await this.#resources.jobs.hurry(disposeGraceMs);
    await closed;
    await this.#resources.lanes?.close();
    this.#resources.jobs.close();
    this.#resources.orphanedStreams.stop();
    await this.#resources.namedPipes.close();
    this.#resources.directory.remove();
    this.#forgetExit?.();
    this.#keepAlive.end();
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
function abort(control: Cancellation, reason: StopReason): void {
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
 * so the other timers of this package are unreferenced. Between two jobs the timer stays: creating one takes longer than a reference.
 */
class KeepAlive {
  #references = 0;
  #timer: NodeJS.Timeout | undefined;

  ref(): void {
    this.#references += 1;
    this.#timer ??= setInterval(() => {}, idleMs);
    if (this.#references === 1) this.#timer.ref();
  }

  unref(): void {
    this.#references -= 1;
    if (this.#references === 0) this.#timer?.unref();
  }

  end(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
