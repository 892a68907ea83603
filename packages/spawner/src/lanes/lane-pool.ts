import type { PrivateDirectory } from '../io/private-directory.js';
import type { OnePerTurn } from '../one-per-turn.js';
import { findOnPath, isTransient, type Shell } from '../run/spawn-process.js';
import { Lane } from './lane.js';

/** Milliseconds after which an idle lane is ended. */
const idleMs = 60_000;

/** If this many lanes end unexpectedly within `deathsWithinMs`, no lane is used any more. */
const mostDeaths = 4;
const deathsWithinMs = 1000;

/** Milliseconds that lanes have to end by themselves when the pool is closed. */
const closeGraceMs = 200;

interface PoolOptions {
  readonly mostLanes: number;
  readonly isWished: boolean;
}

/**
 * The lanes of a spawner. A lane is started when a job needs one and none is idle, so there are about as many lanes as jobs that ran at
 * once.
 */
export class LanePool {
  readonly #directory: PrivateDirectory;
  readonly #throttle: OnePerTurn;
  readonly #mostLanes: number;
  readonly #isWished: boolean;
  readonly #mkfifo = process.platform === 'linux' ? findOnPath('mkfifo', process.env) : undefined;
  /** All lanes that have not ended. */
  readonly #lanes = new Set<Lane>();
  /** Lanes that end after their job, because the pool does not need them. */
  readonly #ending = new WeakSet<Lane>();
  /** The lane that was used last comes last, and is used next. */
  readonly #idle: { readonly lane: Lane; readonly since: number }[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** The lanes that are being started. */
  readonly #starts = new Set<Promise<unknown>>();
  #deaths: number[] = [];
  #unusable: string | undefined;
  #isClosed = false;

  /** `mostLanes`: the number of jobs that run at once. `isWished`: the caller expects lanes, so a warning says that there are none. */
  constructor(directory: PrivateDirectory, throttle: OnePerTurn, { mostLanes, isWished }: PoolOptions) {
    this.#directory = directory;
    this.#throttle = throttle;
    this.#mostLanes = mostLanes;
    this.#isWished = isWished;
    if (process.platform !== 'linux') this.#giveUp('lanes need /proc');
    else if (this.#mkfifo === undefined) this.#giveUp('the program mkfifo is missing');
  }

  /**
   * Returns an idle lane of the group, or one that has not run a job, or starts one. Resolves to the reason if there is no lane for the job.
   * Rejects with the errno if the machine is short of a resource.
   */
  async take(shell: Shell, group: string): Promise<Lane | string> {
    const lane = this.#takeIdle(group) ?? (await this.#start(shell));
    if (lane === undefined) return this.#unusable ?? 'the spawner is being disposed';
    lane.group = group;
    return lane;
  }

  #takeIdle(group: string): Lane | undefined {
    for (let index = this.#idle.length - 1; index >= 0; index -= 1) {
      const lane = this.#idle[index]?.lane;
      if (lane === undefined || (lane.group !== undefined && lane.group !== group)) continue;
      this.#idle.splice(index, 1);
      if (lane.isIdle) return lane;
    }
    return undefined;
  }

  /** Returns a lane after its job. `isClean`: the job left no process and no output. A lane with left processes is ended. */
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
    if (this.#lanes.size > 0) return;
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
    await Promise.allSettled(this.#starts);
    await Promise.all([...lanes, ...this.#lanes].map((lane) => lane.gone));
    clearTimeout(timer);
  }

  /** Kills all lanes when our process exits. */
  killNow(): void {
    for (const lane of this.#lanes) lane.kill();
  }

  #start(shell: Shell): Promise<Lane | undefined> {
    const start = this.#startLane(shell);
    this.#starts.add(start);
    const forget = (): void => void this.#starts.delete(start);
    start.then(forget, forget);
    return start;
  }

  async #startLane(shell: Shell): Promise<Lane | undefined> {
    if (this.#mkfifo === undefined || this.#unusable !== undefined || this.#isClosed) return undefined;
    // A lane of another group may be idle. With it, there would be more lanes than jobs can run.
    const [oldest] = this.#idle;
    if (oldest !== undefined && this.#lanes.size >= this.#mostLanes) this.#retire(oldest.lane);
    await this.#throttle.take();
    if (this.#isClosed) return undefined;
    const start = await Lane.start(shell, this.#mkfifo, this.#directory);
    if ('error' in start) {
      if (isTransient(start.error)) throw start.error;
      this.#giveUp(start.error.message);
      return undefined;
    }
    const { lane } = start;
    this.#lanes.add(lane);
    void lane.gone.then(() => this.#onGone(lane));
    if (!this.#isClosed) return lane;
    this.#retire(lane);
    return undefined;
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
    this.#giveUp(`${mostDeaths} lanes were killed within ${deathsWithinMs} ms`, true);
  }

  #giveUp(reason: string, isUnexpected = this.#isWished): void {
    if (this.#unusable === undefined && isUnexpected) process.emitWarning(`${reason}. From now on, each hook is started directly.`);
    this.#unusable ??= reason;
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
