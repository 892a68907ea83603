import { closeSync } from 'node:fs';
import type { Socket } from 'node:net';
import type { PrivateDirectory } from '../io/private-directory.js';
import { writeForOpening } from '../io/unnamed-file.js';
import type { StopSignal } from '../job.js';
import { createJobId, tagEnvironment } from '../kill/job-ids.js';
import { signalGroup } from '../kill/process-group.js';
import { type Attempt, type ProcessEnd, type Shell, type SpawnedProcess, spawnProcess } from '../run/spawn-process.js';
import { LaneFifos } from './lane-fifos.js';
import { LaneReports, tryAgain } from './lane-reports.js';
import { laneScript, probeText } from './lane-script.js';
import type { SetupFile } from './setup-file.js';
import { listChildren, StartWatch } from './start-watch.js';

/** What a lane needs to start one job. */
export interface LaneJob {
  /** A descriptor of our process. */
  readonly stdin: number;
  readonly setup: SetupFile;
  /** Whether the job is a call of one program. */
  readonly isCall: boolean;
  /** The maximum number of milliseconds until the process of the job must exist. */
  readonly longestMs: number;
  /** Aborted when the job is stopped. From then on its command does not begin. */
  readonly signal: StopSignal;
}

/** A lane answers within a millisecond. After this time in milliseconds, for example because a process has paused it, it is killed. */
export const longestAnswerMs = 2000;

/** Means that the command of a job has certainly not begun. */
export const notBegun = tryAgain('the shell that starts the commands of hooks could not prepare the command');

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
  readonly fifos: LaneFifos;
  /** Resolves when the shell has ended, and everything that it reported was read. */
  readonly gone: Promise<void>;
  /** The `laneGroup` of the jobs of this lane. Undefined before its first job. */
  group: string | undefined;
  readonly #socket: Socket;
  readonly #reports: LaneReports;
  #isGone = false;
  #isClosing = false;
  /** Resolves when the current job has ended. */
  #job: Promise<ProcessEnd> | undefined;

  /**
   * Starts a lane. Resolves to an error with the code `lane_refused` if it cannot open our descriptors or create FIFOs, or if bash is older
   * than version 5.
   */
  static async start(shell: Shell, mkfifo: string, directory: PrivateDirectory): Promise<Attempt<{ readonly lane: Lane }>> {
    const locale = readLocale(process.env);
    const id = createJobId();
    const fifos = new LaneFifos(directory.open());
    const text = Buffer.from(probeText(mkfifo, fifos.names));
    const probe = directory.use(text.length, (path) => writeForOpening(path, text));
    try {
      const start = await spawnProcess({
        file: shell.file,
        args: ['--norc', '--noprofile', ...shell.args, laneScript(`/proc/${process.pid}/fd`, probe)],
        cwd: '/',
        env: tagEnvironment(locale, id),
        stdio: ['ignore', 'ignore', 'ignore'],
        hasSocket: true,
      });
      if ('error' in start) return start;
      start.spawned.unref();
      const lane = new Lane(start.spawned, id, locale, fifos);
      if (!(await lane.#isReady())) {
        lane.kill();
        return { error: Object.assign(new Error('the shell cannot run jobs'), { code: 'lane_refused' }) };
      }
      try {
        fifos.open();
      } catch (error) {
        lane.kill();
        // Another process may have removed the directory, and the FIFOs with it.
        return { error: Object.assign(error as Error, { code: 'EAGAIN' }) };
      }
      lane.#write(fifos.descriptors);
      return { lane };
    } finally {
      closeSync(probe);
      fifos.removeNames();
    }
  }

  private constructor(spawned: SpawnedProcess, id: string, locale: Readonly<Record<string, string>>, fifos: LaneFifos) {
    this.pid = spawned.pid;
    this.id = id;
    this.locale = locale;
    this.fifos = fifos;
    this.#socket = spawned.socket as Socket;
    this.#socket.unref();
    this.#reports = new LaneReports(this.#socket);
    this.gone = Promise.all([spawned.ended, this.#reports.closed]).then(() => this.#end());
  }

  /**
   * Resolves when the current job has ended, or the lane: the job is then reported as lost. A race with `gone` was rejected. While the lane
   * lives, it would keep a part of each job in memory.
   */
  get idle(): Promise<unknown> {
    return this.#job ?? Promise.resolve();
  }

  /** Whether nothing more of the lane can be read. Its processes may live longer. */
  get hasEnded(): boolean {
    return this.#isGone || this.#reports.isClosed;
  }

  get isIdle(): boolean {
    return this.#job === undefined && !this.#isGone && !this.#isClosing;
  }

  /**
   * Runs a job. Resolves when its process is known, which is also its group, or when the job has ended. `onPid` is called before that. If
   * the lane ends before it has read the job, or cannot open a stream, resolves to an error with the code EAGAIN, and the job may be started
   * again; to `notBegun` if the job was stopped, or could not be prepared in time. If the lane ends later, the job may have done its work, so it has
   * ended with SIGKILL. The lane must be idle.
   */
  async run(
    job: LaneJob,
    onPid: (pid: number) => void,
  ): Promise<Attempt<{ readonly spawned: SpawnedProcess; readonly hasEnded: boolean }>> {
    const report = this.#reports.next();
    const ended = report.then((found) => {
      this.#job = undefined;
      return found.kind === 'ended' ? found.end : killed;
    });
    this.#job = ended;
    const watch = new StartWatch(this, job);
    this.#write([job.stdin, job.setup.fd, job.isCall ? 1 : 0]);
    let first = await Promise.race([report, watch.found]);
    if (typeof first === 'object' && first.kind === 'lost') {
      const decided = await watch.afterLoss();
      if (decided !== 'unknown') first = decided;
    }
    watch.stop();
    if (typeof first === 'object' && first.kind === 'not-started') {
      await ended;
      return { error: first.error };
    }
    if (first === undefined || (typeof first === 'object' && first.kind === 'ended' && !job.setup.hasBegun)) return { error: notBegun };
    const pid = typeof first === 'number' ? first : first.kind === 'ended' ? first.pid : this.pid;
    onPid(pid);
    return { spawned: { pid, ended, streams: [], unref: () => {} }, hasEnded: typeof first !== 'number' };
  }

  /** Ends the lane after its current job. */
  end(): void {
    this.#isClosing = true;
    this.#socket.end();
  }

  /** Kills the shell at once, not its jobs. */
  kill(): void {
    if (!this.#isGone) signalGroup(this.pid, 'SIGKILL');
  }

  #write(numbers: readonly number[]): void {
    this.#socket.write(`${numbers.join(' ')}\n`, 'latin1');
  }

  /** Resolves to whether the lane can run jobs. */
  async #isReady(): Promise<boolean> {
    const timer = setTimeout(() => this.kill(), longestAnswerMs).unref();
    const isReady = await this.#reports.ready;
    clearTimeout(timer);
    return isReady && listChildren(this.pid) !== undefined;
  }

  #end(): void {
    this.#isGone = true;
    this.fifos.close();
  }
}

const killed: ProcessEnd = { exitCode: null, signal: 'SIGKILL' };

/** Returns the variables that choose a locale. */
function readLocale(env: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (/^(LANG|LC_[A-Z]+)$/.test(name) && value ? [[name, value]] : [])),
  );
}
