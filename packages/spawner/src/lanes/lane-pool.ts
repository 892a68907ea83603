import { closeSync } from 'node:fs';
import type { PrivateDirectory } from '../io/private-directory.js';
import { writeUnnamed } from '../io/unnamed-file.js';
import { createJobId } from '../kill/job-ids.js';
import type { OnePerTurn } from '../one-per-turn.js';
import { isTransient, type Shell } from '../run/spawn-process.js';
import { Lane } from './lane.js';

/** Milliseconds after which an idle lane is ended. */
const idleMs = 60_000;

/** If this many lanes end unexpectedly within `deathsWithinMs`, no lane is used any more. */
const mostDeaths = 4;
const deathsWithinMs = 1000;

/** Milliseconds that lanes have to end by themselves when the pool is closed. */
const closeGraceMs = 200;

/**
 * The lanes of a spawner. A lane is started when a job needs one and none is idle, so there are about as many lanes as jobs that ran at
 * once.
 */
export class LanePool {
  readonly #directory: PrivateDirectory;
  readonly #throttle: OnePerTurn;
  /** All lanes that have not ended. */
  readonly #lanes = new Set<Lane>();
  /** Lanes that end after their job, because the pool does not need them. */
  readonly #ending = new WeakSet<Lane>();
  /** The lane that was used last comes last, and is used next. */
  readonly #idle: { readonly lane: Lane; readonly since: number }[] = [];
  #timer: NodeJS.Timeout | undefined;
  #deaths: number[] = [];
  #unusable: string | undefined;
  #isClosed = false;

  constructor(directory: PrivateDirectory, throttle: OnePerTurn) {
    this.#directory = directory;
    this.#throttle = throttle;
    if (process.platform !== 'linux') this.#unusable = 'lanes need /proc';
  }

  /** Why no lane can be used on this machine, or undefined. */
  get unusable(): string | undefined {
    return this.#unusable;
  }

  /**
   * Returns an idle lane, or starts one. Resolves to undefined if lanes cannot be used; then `unusable` has the reason. Rejects with the
   * errno if the machine is short of a resource.
   */
  async take(shell: Shell): Promise<Lane | undefined> {
    while (this.#unusable === undefined && !this.#isClosed) {
      const idle = this.#idle.pop()?.lane;
      if (idle?.isIdle) return idle;
      if (idle === undefined) return this.#start(shell);
    }
    return undefined;
  }

  /** Returns a lane after its job. `isClean`: the job left no process. A lane with left processes is ended. */
  release(lane: Lane, isClean: boolean): void {
    if (!lane.isIdle) return;
    if (this.#isClosed || !isClean) {
      this.#retire(lane);
      return;
    }
    this.#idle.push({ lane, since: performance.now() });
    this.#timer ??= setInterval(() => this.#endIdle(), idleMs).unref();
  }

  /** Starts a lane before a job needs it. Does nothing if there is one. */
  async prepare(shell: Shell): Promise<void> {
    if (this.#lanes.size > 0 || this.#unusable !== undefined) return;
    const lane = await this.#start(shell).catch(() => undefined);
    if (lane !== undefined) this.release(lane, true);
  }

  /** Ends all lanes. Resolves when they are gone. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    const lanes = [...this.#lanes];
    for (const lane of lanes) lane.end();
    const timer = setTimeout(() => this.killNow(), closeGraceMs);
    await Promise.all(lanes.map((lane) => lane.gone));
    clearTimeout(timer);
  }

  /** Kills all lanes when our process exits. */
  killNow(): void {
    for (const lane of this.#lanes) lane.kill();
  }

  async #start(shell: Shell): Promise<Lane | undefined> {
    await this.#throttle.take();
    const ready = Buffer.from('echo ready\n');
    const probe = this.#directory.use(ready.length, (path) => writeUnnamed(path, ready));
    try {
      const start = await Lane.start(shell, createJobId(), probe);
      if ('error' in start) {
        if (isTransient(start.error)) throw start.error;
        this.#unusable = start.error.message;
        return undefined;
      }
      const { lane } = start;
      this.#lanes.add(lane);
      void lane.gone.then(() => this.#onGone(lane));
      return lane;
    } finally {
      closeSync(probe);
    }
  }

  #retire(lane: Lane): void {
    this.#ending.add(lane);
    this.#leaveIdle(lane);
    lane.end();
  }

  #leaveIdle(lane: Lane): void {
    const index = this.#idle.findIndex((idle) => idle.lane === lane);
    if (index >= 0) this.#idle.splice(index, 1);
  }

  /** A lane that we did not end was killed by another process, e.g. a hook. If that happens again and again, direct starts are safer. */
  #onGone(lane: Lane): void {
    this.#lanes.delete(lane);
    this.#leaveIdle(lane);
    if (this.#isClosed || this.#ending.has(lane)) return;
    const now = performance.now();
    this.#deaths = [...this.#deaths.filter((at) => now - at < deathsWithinMs), now];
    if (this.#deaths.length < mostDeaths) return;
    this.#unusable = `${mostDeaths} lanes were killed within ${deathsWithinMs} ms`;
    process.emitWarning(`${this.#unusable}. From now on, each hook is started directly.`);
  }

  #endIdle(): void {
    const now = performance.now();
    for (const { lane, since } of [...this.#idle]) {
      if (now - since >= idleMs) this.#retire(lane);
    }
    if (this.#idle.length > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
