import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { Entry, NoteEntry } from '../write/encode-entry.js';
import { EntryWriter, type WritePlan } from '../write/entry-writer.js';
import { type Dropped, MessageQueue, type Priority } from './message-queue.js';
import type { RecorderWriter } from './recorder-writer.js';
import { type Order, Owner, type Report, type ThreadData } from './writer-thread.js';

/** Bytes that may be on their way to the thread. What waits here can still be dropped for something more important. */
const windowBytes = 1024 * 1024;
/** How long a message may wait until it is sent to the thread. If the process is killed, these messages are lost. */
const sendMs = 2;
/** The size of a note in memory, about. */
const noteBytes = 128;
/** How long a process that ends waits for a thread that makes no progress, and how long in all. */
const longestStallMs = 2_000;
const longestExitMs = 10_000;

/** What to do when the process ends. One listener serves all recorders, because Node warns of a leak if there are many. */
const finishers = new Set<() => void>();
const finishAll = () => {
  for (const finish of finishers) finish();
};

/**
 * Finds the module that the thread runs. Undefined if an agent was bundled into one file, which has no separate module: the recorder then
 * writes on the agent's thread.
 */
function findThreadModule(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve('@tenterhook/recording/internal/bundle');
  } catch {
    return undefined;
  }
}

/** What a thread's writer needs from its recorder. */
export interface ThreadCallbacks {
  /** Returns the note about dropped messages. */
  readonly noteDropped: (dropped: Dropped) => NoteEntry;
  /** Returns the last note, if the process ends before the recorder is closed. */
  readonly noteEnd: () => NoteEntry;
  /** Called with the reason if the recording ends early. */
  readonly fail: (message: string) => void;
}

/** Starts a thread that writes, or returns undefined if there is no module for it. */
export function startThreadWriter(plan: WritePlan, callbacks: ThreadCallbacks): RecorderWriter | undefined {
  const module = findThreadModule();
  return module === undefined ? undefined : new ThreadWriter(module, plan, callbacks);
}

/** Passes entries to a thread that masks and writes them. The agent never waits for it. */
class ThreadWriter implements RecorderWriter {
  readonly #plan: WritePlan;
  readonly #worker: Worker;
  readonly #queue: MessageQueue;
  readonly #callbacks: ThreadCallbacks;
  readonly #done = new Int32Array(new SharedArrayBuffer(8));
  readonly #flushes = new Map<number, () => void>();
  readonly #ended: Promise<void>;
  /** Bytes that the thread has received and not reported as written. */
  #sent = 0;
  #orders = 0;
  #hasEnded = false;
  #isEnding = false;
  #isScheduled = false;
  /** What was sent before the first report of the thread. A process that ends earlier writes it itself. */
  #early: Order[] | undefined = [];

  constructor(module: string, plan: WritePlan, callbacks: ThreadCallbacks) {
    this.#plan = plan;
    this.#queue = new MessageQueue(plan.limits.maxQueuedBytes);
    this.#callbacks = callbacks;
    const workerData: ThreadData & { readonly module: string } = { plan, done: this.#done.buffer as SharedArrayBuffer, module };
    // The descriptor of the file was opened by another thread, so the worker must not track descriptors.
    this.#worker = new Worker(`const { workerData } = require('node:worker_threads'); require(workerData.module).runWriterThread();`, {
      eval: true,
      workerData,
      execArgv: [],
      trackUnmanagedFds: false,
      name: 'tenterhook-recording',
    });
    this.#ended = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.#hasEnded = true;
        finishers.delete(this.#finishAtExit);
        if (finishers.size === 0) process.off('exit', finishAll);
        for (const flushed of this.#flushes.values()) flushed();
        this.#flushes.clear();
        if (!this.#isEnding) callbacks.fail('The thread that writes the recording has ended, so the recording ends here. Record again.');
        resolve();
      });
    });
    this.#worker.on('error', (error) => callbacks.fail(`The recording ends here, because its thread failed: ${error.message}`));
    this.#worker.on('message', (report: Report) => this.#receive(report));
    // An idle recorder must not keep the process alive.
    this.#worker.unref();
    if (finishers.size === 0) process.on('exit', finishAll);
    finishers.add(this.#finishAtExit);
  }

  add(entry: Entry, bytes: number, priority: Priority): void {
    if (this.#hasEnded || this.#isEnding) return;
    this.#queue.add(entry, bytes, priority);
    if (this.#isScheduled) return;
    // One order for many messages, because each order takes as long as several messages and wakes the thread.
    this.#isScheduled = true;
    setTimeout(() => {
      this.#isScheduled = false;
      this.#send();
    }, sendMs);
  }

  flush(): Promise<void> {
    if (this.#hasEnded) return Promise.resolve();
    return new Promise((resolve) => {
      const id = this.#orders;
      this.#flushes.set(id, resolve);
      this.#sendAll();
      this.#post({ flush: id });
    });
  }

  close(note: NoteEntry): Promise<void> {
    this.#finish(() => note);
    return this.#ended;
  }

  #finish(note: () => NoteEntry): void {
    if (this.#isEnding || this.#hasEnded) return;
    this.#isEnding = true;
    this.#sendAll();
    this.#post({ end: note() });
  }

  #receive(report: Report): void {
    this.#early = undefined;
    if ('failure' in report) this.#callbacks.fail(report.failure);
    else if ('flushed' in report) {
      this.#flushes.get(report.flushed)?.();
      this.#flushes.delete(report.flushed);
    } else {
      this.#sent -= report.written;
      this.#queue.release(report.written);
      this.#send();
    }
    if (this.#sent === 0 && this.#flushes.size === 0 && !this.#isEnding) this.#worker.unref();
  }

  #send(): void {
    if (this.#hasEnded || this.#isEnding) return;
    this.#sendUntil(() => this.#sent >= windowBytes);
  }

  /** Passes everything on. The thread then holds what waited here, so the limit still holds. */
  #sendAll(): void {
    this.#sendUntil(() => false);
  }

  #sendUntil(isFull: () => boolean): void {
    const entries: Entry[] = [];
    let bytes = 0;
    const take = (next: { readonly entry: Entry; readonly bytes: number }) => {
      entries.push(next.entry);
      bytes += next.bytes;
      this.#sent += next.bytes;
    };
    while (!isFull()) {
      const next = this.#queue.take();
      if (next === undefined) break;
      take(next);
    }
    const dropped = this.#queue.isEmpty ? this.#queue.takeDropped() : undefined;
    if (dropped !== undefined) {
      this.#queue.hold(noteBytes);
      take({ entry: this.#callbacks.noteDropped(dropped), bytes: noteBytes });
    }
    if (entries.length > 0) this.#post({ entries, bytes });
  }

  #post(order: Order): void {
    this.#orders += 1;
    this.#early?.push(order);
    this.#worker.ref();
    this.#worker.postMessage(order);
  }

  /** The process ends without `close()`. The thread still runs, so this waits until it has written everything. */
  readonly #finishAtExit = (): void => {
    if (this.#hasEnded) return;
    this.#finish(this.#callbacks.noteEnd);
    this.block();
  };

  block(): void {
    if (this.#hasEnded || this.#writeEarly()) return;
    const deadline = performance.now() + longestExitMs;
    for (let done = Atomics.load(this.#done, 0); done < this.#orders; done = Atomics.load(this.#done, 0)) {
      const left = Math.min(longestStallMs, deadline - performance.now());
      if (left <= 0 || Atomics.wait(this.#done, 0, done, left) === 'timed-out') return;
    }
  }

  /** Writes everything if the thread has not begun: on a busy machine its start takes longer than the process may wait. */
  #writeEarly(): boolean {
    if (this.#early === undefined) return false;
    if (Atomics.compareExchange(this.#done, 1, Owner.undecided, Owner.agent) !== Owner.undecided) return false;
    const writer = new EntryWriter(this.#plan);
    for (const order of this.#early.splice(0)) {
      if ('entries' in order) for (const entry of order.entries) writer.write(entry);
      else if ('end' in order) writer.end(order.end);
    }
    if (writer.failure !== undefined) this.#callbacks.fail(writer.failure);
    return true;
  }
}
