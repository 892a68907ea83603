import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { BoundedOutput, type OutputText } from '../io/bounded-output.js';
import { onStop, type StopReason, type StopSignal } from '../job.js';
import { HaltWatch } from '../kill/halt-watch.js';
import { hasStoppedProcess, type JobProcesses } from '../kill/job-processes.js';
import type { TrackedJobs } from '../kill/tracked-jobs.js';
import type { Deadline } from '../run/deadline.js';
import { drainOutput } from '../run/drain-output.js';
import { notify } from '../run/run-job.js';
import type { SpawnedProcess } from '../run/spawn-process.js';
import { readObject } from './answer.js';
import { LineReader } from './line-reader.js';
import type { ResidentJob } from './resident-job.js';

/** How the wait for an answer ended. */
export type Reply =
  | { readonly kind: 'answered'; readonly record: Readonly<Record<string, unknown>>; readonly line: OutputText }
  | { readonly kind: 'exited'; readonly exitCode: number }
  | { readonly kind: 'signalled'; readonly signal: string }
  | { readonly kind: 'timed-out'; readonly signal?: 'SIGSTOP' }
  | { readonly kind: 'too-long'; readonly bytes: number }
  | { readonly kind: 'closed'; readonly what: string }
  | { readonly kind: StopReason };

/** One job that waits for its answer. */
export interface Question {
  readonly id: number;
  /** One line of JSON. */
  readonly input: string;
  readonly deadline: Deadline;
  readonly signal: StopSignal;
}

/** What the process printed since the last answer, apart from the answer. */
export interface Unread {
  readonly stdout: OutputText;
  readonly stderr: OutputText;
  /** The number of lines on stdout that are not an answer. */
  readonly lines: number;
}

/** The maximum number of bytes of stderr, and of other lines on stdout, that are kept between two answers. */
const mostUnread = 65_536;

/** Milliseconds in which the end of the process may follow the end of its streams. */
const exitFollowsMs = 50;

/** Milliseconds that a process has to end by itself when its input has ended. */
const leaveMs = 200;

/**
 * A process that answers one question after the other.
 *
 * Its streams are sockets. Other processes of the user cannot open a socket through /proc, as they could open a FIFO to write an answer in
 * place of the process. For the same reason, the id of a question cannot be guessed.
 */
export class ResidentProcess {
  readonly pid: number;
  readonly #spawned: SpawnedProcess;
  readonly #processes: JobProcesses;
  readonly #jobs: TrackedJobs;
  readonly #killGraceMs: number;
  readonly #halt: HaltWatch;
  readonly #stdin: Writable;
  readonly #stdout: LineReader;
  readonly #onGone: () => void;
  readonly #onStderr: ResidentJob['onStderr'];
  #stderr = new BoundedOutput(mostUnread);
  #ignored = new BoundedOutput(mostUnread);
  #ignoredLines = 0;
  #waiting: { readonly question: Question; readonly settle: (reply: Reply) => void } | undefined;
  /** Why the process cannot answer any more. */
  #end: Exclude<Reply, { kind: 'answered' }> | undefined;
  #gone: Promise<void> | undefined;

  constructor(
    spawned: SpawnedProcess,
    options: {
      readonly processes: JobProcesses;
      readonly jobs: TrackedJobs;
      readonly killGraceMs: number;
      readonly lineBytes: number;
      readonly onStderr: ResidentJob['onStderr'];
      /** Called when the process can answer no more. */
      readonly onGone: () => void;
    },
  ) {
    this.pid = spawned.pid;
    this.#spawned = spawned;
    this.#processes = options.processes;
    this.#jobs = options.jobs;
    this.#killGraceMs = options.killGraceMs;
    this.#onGone = options.onGone;
    this.#onStderr = options.onStderr;
    this.#halt = new HaltWatch(spawned.pid);
    this.#stdin = spawned.stdin as Writable;
    const [stdout, stderr] = spawned.streams as [Socket, Socket];
    // An idle process must not keep our process alive.
    spawned.unref();
    for (const stream of [this.#stdin as Socket, stdout, stderr]) stream.unref();
    this.#stdout = new LineReader(stdout, options.lineBytes, (line) => this.#take(line));
    stderr.on('error', () => {}).on('data', (chunk: Buffer) => this.#takeStderr(chunk));
    this.#stdin.on('error', () => this.#onClosed('its input'));
    void this.#stdout.ended.then(() => this.#onClosed('its output'));
    void spawned.ended.then(({ exitCode, signal }) =>
      this.#onExit(signal === null ? { kind: 'exited', exitCode: exitCode ?? 0 } : { kind: 'signalled', signal }),
    );
  }

  /** Why the process cannot answer the next question, without a subject. Undefined if it can. */
  get problem(): string | undefined {
    if (this.#end !== undefined) return describeEnd(this.#end);
    const halt = this.#halt.find();
    return halt === undefined ? undefined : halt === 'ended' ? 'ended' : 'was paused by a signal';
  }

  /** Asks one question. After any other reply than an answer, the processes are killed. There must be no question that waits. */
  ask(question: Question): Promise<Reply> {
    return new Promise((resolve) => {
      let forgetSignal = (): void => {};
      const settle = (reply: Reply): void => {
        if (this.#waiting?.question !== question) return;
        this.#waiting = undefined;
        question.deadline.clear();
        forgetSignal();
        if (reply.kind !== 'answered') this.#giveUp(reply);
        resolve(reply);
      };
      this.#waiting = { question, settle };
      if (this.#end !== undefined) return settle(this.#end);
      question.deadline.onReached(() => settle({ kind: 'timed-out', ...(hasStoppedProcess(this.pid) ? { signal: 'SIGSTOP' } : {}) }));
      // As for other jobs, what the process has already printed is read first.
      forgetSignal = onStop(question.signal, (reason) => setImmediate(() => settle({ kind: reason })));
      // A hook in bash relies on this order of the fields.
      this.#stdin.write(`{"id":${question.id},"input":${question.input}}\n`);
    });
  }

  /** Returns what was printed since the last call, and forgets it. */
  takeUnread(): Unread {
    const unread = { stdout: this.#ignored.read(mostUnread), stderr: this.#stderr.read(mostUnread), lines: this.#ignoredLines };
    if (unread.stdout.bytes > 0) this.#ignored = new BoundedOutput(mostUnread);
    if (unread.stderr.bytes > 0) this.#stderr = new BoundedOutput(mostUnread);
    this.#ignoredLines = 0;
    return unread;
  }

  /** Lets the process end by itself, and then kills what is left of it. Resolves when no process is left. */
  async end(graceMs: number): Promise<void> {
    if (this.#gone === undefined) {
      this.#stdin.end();
      let timer: NodeJS.Timeout | undefined;
      const tooLong = new Promise((resolve) => {
        timer = setTimeout(resolve, leaveMs).unref();
      });
      await Promise.race([this.#spawned.ended, tooLong]);
      clearTimeout(timer);
    }
    await this.kill(graceMs);
  }

  #take(line: OutputText): void {
    if (line.truncated) {
      this.#finish({ kind: 'too-long', bytes: line.bytes });
      return;
    }
    const record = this.#waiting === undefined ? undefined : readObject(line.text);
    // A record with an input is the question itself, repeated by a hook that prints what it reads.
    if (record !== undefined && record['id'] === this.#waiting?.question.id && !('input' in record)) {
      this.#waiting?.settle({ kind: 'answered', record, line });
      return;
    }
    if (line.text.trim() === '') return;
    this.#ignoredLines += 1;
    if (this.#ignored.isFull) return;
    const bytes = Buffer.from(`${line.text}\n`);
    this.#ignored.add(bytes, bytes.length);
  }

  #takeStderr(chunk: Buffer): void {
    const { isFull } = this.#stderr;
    this.#stderr.add(chunk, chunk.length);
    if (!isFull) notify('onStderr', () => this.#onStderr?.(chunk.toString()));
  }

  #onClosed(what: string): void {
    // Usually the process has ended, and this is reported next.
    setTimeout(() => {
      if (this.#end === undefined) this.#finish({ kind: 'closed', what });
    }, exitFollowsMs).unref();
  }

  async #onExit(end: Extract<Reply, { kind: 'exited' | 'signalled' }>): Promise<void> {
    // The answer may be read after the end of the process, and a child may still hold the output open.
    const question = this.#waiting?.question;
    if (question !== undefined) await drainOutput(this.#stdout, question.deadline.at, question.signal);
    this.#finish(end);
  }

  /** The process can answer no more. */
  #finish(end: Exclude<Reply, { kind: 'answered' }>): void {
    this.#giveUp(end);
    this.#waiting?.settle(this.#end ?? end);
  }

  #giveUp(end: Exclude<Reply, { kind: 'answered' }>): void {
    this.#end ??= end;
    void this.kill(end.kind === 'too-long' ? 0 : this.#killGraceMs);
  }

  /** Kills the processes. Resolves when none of them is left. */
  kill(graceMs: number): Promise<void> {
    if (this.#gone === undefined) {
      this.#end ??= { kind: 'disposed' };
      this.#halt.close();
      this.#gone = this.#jobs.kill(this.#processes, graceMs).then(() => {
        this.#stdin.destroy();
        for (const stream of this.#spawned.streams) stream?.destroy();
      });
      this.#onGone();
    }
    return this.#gone;
  }
}

function describeEnd(end: Exclude<Reply, { kind: 'answered' }>): string {
  switch (end.kind) {
    case 'exited':
      return `exited with code ${end.exitCode}`;
    case 'signalled':
      return `was ended by ${end.signal}`;
    case 'too-long':
      return 'printed a line that is longer than the limit';
    case 'closed':
      return `closed ${end.what}`;
    default:
      return 'was ended';
  }
}
