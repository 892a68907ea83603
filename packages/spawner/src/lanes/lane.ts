import type { Socket } from 'node:net';
import { constants } from 'node:os';
import type { Writable } from 'node:stream';
import { tagEnvironment } from '../kill/job-ids.js';
import { signalGroup } from '../kill/process-group.js';
import { type Attempt, type ProcessEnd, type Shell, type SpawnedProcess, spawnProcess } from '../run/spawn-process.js';
import { laneScript } from './lane-script.js';

/** What a lane needs to start one job. */
export interface LaneJob {
  /** Descriptors of our process: stdin, stdout, stderr, and the setup of the job. */
  readonly descriptors: readonly number[];
  /** The value of the variable with the ids of the job. */
  readonly jobIds: string;
  /** The maximum number of milliseconds until the lane must report the start. */
  readonly longestMs: number;
}

/** Thrown if a lane ended, or did not answer, before it reported the start of a job. The job may have started. */
export class LaneLost extends Error {
  readonly code = 'lane_lost';
}

/** A lane answers within a millisecond. After this time in milliseconds, for example because a process has paused it, it is killed. */
export const longestAnswerMs = 2000;

/** The job of a lane, from its submission to its end. */
interface CurrentJob {
  readonly number: number;
  readonly onStarted: (pid: number) => void;
  readonly onFailed: (error: Error) => void;
  readonly onEnded: (end: ProcessEnd) => void;
  readonly ended: Promise<ProcessEnd>;
  /** Whether bash has reported that the job exited. It reports a signal in another form. */
  hasExited: boolean;
  hasStarted: boolean;
}

/**
 * A shell that stays alive and runs one job after the other. It forks in a fraction of the time that our own process needs, because the
 * kernel copies the tables of its small memory only.
 */
export class Lane {
  readonly pid: number;
  /** The id in the environment of the lane. A part of a job that was forked without executing a program has this id. */
  readonly id: string;
  /** The variables of the locale with which the shell was started. */
  readonly locale: Readonly<Record<string, string>>;
  /** Resolves when the shell has ended. */
  readonly gone: Promise<void>;
  readonly #input: Writable;
  #isGone = false;
  #job: CurrentJob | undefined;
  #jobs = 0;
  #rest = '';

  /**
   * Starts a lane. `probe` is a descriptor of a file that prints `ready`; it shows that the lane can open our descriptors. Resolves to an
   * error with the code `lane_refused` if it cannot, or if bash is older than version 5.
   */
  static async start(shell: Shell, id: string, probe: number): Promise<Attempt<{ readonly lane: Lane }>> {
    const locale = readLocale(process.env);
    const start = await spawnProcess({
      file: shell.file,
      // Bash reads ~/.bashrc if its input is a socket, as for rshd.
      args: ['--norc', '--noprofile', ...shell.args, laneScript(`/proc/${process.pid}/fd`, probe)],
      cwd: '/',
      env: tagEnvironment(locale, id),
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    if ('error' in start) return start;
    const { spawned } = start;
    spawned.unref();
    const lane = new Lane(spawned, id, locale);
    return (await lane.#isReady(spawned))
      ? { lane }
      : { error: Object.assign(new Error('the shell cannot run jobs'), { code: 'lane_refused' }) };
  }

  private constructor(spawned: SpawnedProcess, id: string, locale: Readonly<Record<string, string>>) {
    this.locale = locale;
    this.pid = spawned.pid;
    this.id = id;
    this.#input = spawned.stdin as Writable;
    this.#input.on('error', () => {});
    (this.#input as Socket).unref();
    this.gone = spawned.ended.then(() => this.#end());
  }

  /** Resolves when the current job has ended, or the lane. */
  get idle(): Promise<unknown> {
    return this.#job === undefined ? Promise.resolve() : Promise.race([this.#job.ended, this.gone]);
  }

  get isIdle(): boolean {
    return this.#job === undefined && !this.#isGone;
  }

  /**
   * Starts a job. Resolves when the lane has forked it. `onPid` is called with its process, which is also its group, before that.
   * Resolves to an error if a stream could not be opened, or to LaneLost. The lane must be idle.
   */
  async run(job: LaneJob, onPid: (pid: number) => void): Promise<Attempt<{ readonly spawned: SpawnedProcess }>> {
    this.#jobs += 1;
    const number = this.#jobs;
    let onEnded: (end: ProcessEnd) => void = () => {};
    const ended = new Promise<ProcessEnd>((resolve) => {
      onEnded = resolve;
    });
    let timer: NodeJS.Timeout | undefined;
    try {
      const pid = await new Promise<number>((resolve, reject) => {
        this.#job = { number, onStarted: resolve, onFailed: reject, onEnded, ended, hasExited: false, hasStarted: false };
        timer = setTimeout(() => this.kill(), job.longestMs).unref();
        this.#input.write(`${[number, ...job.descriptors, job.jobIds].join(' ')}\n`);
      });
      onPid(pid);
      return { spawned: { pid, ended, streams: [], unref: () => {} } };
    } catch (error) {
      return { error: error as Error };
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends the lane after its current job. */
  end(): void {
    this.#input.end();
  }

  /** Kills the shell at once, not its jobs. */
  kill(): void {
    if (!this.#isGone) signalGroup(this.pid, 'SIGKILL');
  }

  /** Begins to read what the lane prints. Resolves to whether the lane can run jobs. */
  async #isReady({ streams, ended }: SpawnedProcess): Promise<boolean> {
    const timer = setTimeout(() => this.kill(), longestAnswerMs).unref();
    const output = streams[0] as Socket;
    const ready = new Promise<boolean>((resolve) => {
      output.setEncoding('latin1').on('data', (text: string) => {
        const lines = (this.#rest + text).split('\n');
        this.#rest = lines.pop() ?? '';
        for (const line of lines) {
          if (line === 'ready') resolve(true);
          else this.#take(line);
        }
      });
    });
    output.on('error', () => {});
    output.unref();
    const isReady = await Promise.race([ready, ended.then(() => false)]);
    clearTimeout(timer);
    return isReady;
  }

  #take(line: string): void {
    const job = this.#job;
    if (job === undefined) return;
    if (/^\[\d+\]\S*\s+Exit \d/.test(line)) {
      job.hasExited = true;
      return;
    }
    const [number, word, value] = line.split(' ');
    if (Number(number) !== job.number) return;
    if (word === 'started') {
      job.hasStarted = true;
      job.onStarted(Number(value));
    } else if (word === 'unopened') {
      this.#job = undefined;
      job.onFailed(Object.assign(new Error('the streams of the job could not be opened'), { code: 'EAGAIN' }));
    } else if (word === 'ended') {
      this.#job = undefined;
      job.onEnded(endOf(Number(value), job.hasExited));
    }
  }

  #end(): void {
    this.#isGone = true;
    const job = this.#job;
    this.#job = undefined;
    if (job === undefined) return;
    if (job.hasStarted) job.onEnded({ exitCode: null, signal: 'SIGKILL' });
    else job.onFailed(new LaneLost('the shell that starts the commands of hooks ended or did not answer'));
  }
}

const signalNames = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name as NodeJS.Signals]));

/** Converts the status of `wait`, which is 128 and more for a process that was ended by a signal. */
function endOf(status: number, hasExited: boolean): ProcessEnd {
  const signal = status > 128 && !hasExited ? signalNames.get(status - 128) : undefined;
  return signal === undefined ? { exitCode: status, signal: null } : { exitCode: null, signal };
}

/** Returns the variables that choose a locale. */
function readLocale(env: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (/^(LANG|LC_[A-Z]+)$/.test(name) && value ? [[name, value]] : [])),
  );
}
