import { closeSync, readSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { CapturedOutput } from '../job.js';
import { BoundedOutput } from './bounded-output.js';
import { closeEnds, type NamedPipes, type PipeEnds } from './named-pipes.js';
import type { PrivateDirectory } from './private-directory.js';

interface OutputCaps {
  readonly stdoutBytes: number;
  readonly stderrBytes: number;
}

/** stdout and stderr of one job. */
export class JobOutput {
  readonly #stdout: BoundedOutput;
  readonly #stderr: BoundedOutput;
  readonly #ends: readonly PipeEnds[];
  #readers: readonly OutputReader[] = [];
  #changedAt = performance.now();
  #watchTimer: NodeJS.Timeout | undefined;
  #tap: ((chunk: Buffer, chunkBytes: number) => void) | undefined;

  /** Opens both outputs. Rejects with the errno if one cannot be opened, and then closes the other. */
  static async open(directory: PrivateDirectory, namedPipes: NamedPipes, caps: OutputCaps): Promise<JobOutput> {
    const ends: PipeEnds[] = [];
    try {
      for (const _ of ['stdout', 'stderr']) {
        const pipe = await namedPipes.open(directory);
        if (pipe !== undefined) ends.push(pipe);
      }
    } catch (error) {
      ends.forEach(closeEnds);
      throw error;
    }
    if (ends.length === 2) return new JobOutput(caps, ends);
    ends.forEach(closeEnds);
    return new JobOutput(caps, []);
  }

  private constructor({ stdoutBytes, stderrBytes }: OutputCaps, ends: readonly PipeEnds[]) {
    this.#stdout = new BoundedOutput(stdoutBytes);
    this.#stderr = new BoundedOutput(stderrBytes);
    this.#ends = ends;
  }

  /**
   * The values for stdout and stderr in the `stdio` option of `spawn`: the descriptor of a FIFO or, if there are no FIFOs, `pipe`. With
   * `pipe` Node creates a pipe, which a process cannot open as /dev/stdout.
   */
  get stdio(): readonly [stdout: number | 'pipe', stderr: number | 'pipe'] {
    return [this.#ends[0]?.writeFd ?? 'pipe', this.#ends[1]?.writeFd ?? 'pipe'];
  }

  /** The descriptors of stdout and stderr for the process. Empty if Node creates the pipes. */
  get descriptors(): readonly number[] {
    return this.#ends.map(({ writeFd }) => writeFd);
  }

  /**
   * Starts to read. Call it after the process has started. `streams` are our ends of the pipes that Node created. With `delayMs`, a FIFO
   * is watched only after this time; until then, its output waits in the FIFO, or is read by `readRest()`. To watch a FIFO takes longer than
   * to read it once.
   */
  read(streams: readonly (Readable | undefined)[], delayMs = 0): void {
    const onData = () => {
      this.#changedAt = performance.now();
    };
    const onStdout = (chunk: Buffer, chunkBytes: number) => {
      onData();
      this.#tap?.(chunk, chunkBytes);
    };
    const from = this.#ends.length > 0 ? this.#ends.map((ends) => ends.readFd) : streams;
    for (const { writeFd } of this.#ends) closeSync(writeFd);
    this.#readers = [this.#stdout, this.#stderr].flatMap((output, index) => {
      const source = from[index];
      return source === undefined ? [] : new OutputReader(source, output, index === 0 ? onStdout : onData);
    });
    if (delayMs === 0 || this.#ends.length === 0) this.#watch();
    else this.#watchTimer = setTimeout(() => this.#watch(), delayMs).unref();
  }

  /** Reads at once what was written so far. Call it when the process has ended. Outputs that are still open are watched from then on. */
  readRest(): void {
    if (this.#watchTimer === undefined) return;
    for (const reader of this.#readers) reader.readNow();
    this.#watch();
  }

  #watch(): void {
    clearTimeout(this.#watchTimer);
    this.#watchTimer = undefined;
    for (const reader of this.#readers) reader.watch();
  }

  /** Calls `tap` with everything that is written to stdout from now on. A chunk is valid only during the call. */
  tapStdout(tap: (chunk: Buffer, chunkBytes: number) => void): void {
    this.#tap = tap;
  }

  /** Closes the pipes of a job whose process was not started. */
  discard(): void {
    this.#ends.forEach(closeEnds);
  }

  /** The time of the last write, or of the start of the job if nothing was written. */
  get changedAt(): number {
    return this.#changedAt;
  }

  /** Whether all processes have closed the outputs, so that nothing more can be written. */
  get hasEnded(): boolean {
    return this.#readers.every((reader) => reader.hasEnded);
  }

  get ended(): Promise<unknown> {
    return Promise.all(this.#readers.map((reader) => reader.ended));
  }

  /** Returns the output so far. `most` further limits the number of bytes of each output. */
  capture(most = Number.POSITIVE_INFINITY): Omit<CapturedOutput, 'pid' | 'leftProcesses'> {
    this.readRest();
    const stdout = this.#stdout.read(most);
    const stderr = this.#stderr.read(most);
    return {
      stdout: stdout.text,
      stderr: stderr.text,
      stdoutBytes: stdout.bytes,
      stderrBytes: stderr.bytes,
      stdoutTruncated: stdout.truncated,
      stderrTruncated: stderr.truncated,
      invalidUtf8: stdout.invalidUtf8 || stderr.invalidUtf8,
    };
  }

  /** Drops the kept output after `capture()`. Further output is only counted. */
  forgetText(): void {
    this.#tap = undefined;
    this.#stdout.forgetText();
    this.#stderr.forgetText();
  }

  stop(): void {
    clearTimeout(this.#watchTimer);
    this.#watchTimer = undefined;
    for (const reader of this.#readers) reader.stop();
  }
}

/** One buffer for all readers: each chunk is processed before the next one is read. */
const buffer = Buffer.allocUnsafe(65_536);

/**
 * After this number of discarded bytes, reading pauses for `restMs`. Otherwise a process that writes gigabytes would slow down the agent.
 */
const discardedAtOnce = 4 * 1024 * 1024;
const restMs = 10;

/** Reads one output until all processes have closed it. The reader does not keep the event loop alive; the job does. */
class OutputReader {
  /** Resolves when no process holds the other end any more, or after stop(). */
  readonly ended: Promise<void>;
  readonly #from: number | Readable;
  readonly #output: BoundedOutput;
  readonly #onData: (chunk: Buffer, chunkBytes: number) => void;
  /** Present while the output is watched. */
  #stream: Readable | undefined;
  #discarded = 0;
  #hasEnded = false;
  #onEnded = (): void => {};

  /** `from` is the descriptor of our end of a pipe, or the stream that Node created. The reader closes the descriptor. */
  constructor(from: number | Readable, output: BoundedOutput, onData: (chunk: Buffer, chunkBytes: number) => void) {
    this.#from = from;
    this.#output = output;
    this.#onData = onData;
    this.ended = new Promise((resolve) => {
      this.#onEnded = () => {
        this.#hasEnded = true;
        resolve();
      };
    });
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Reads a FIFO until it is empty. Does nothing once the FIFO is watched. */
  readNow(): void {
    if (typeof this.#from !== 'number' || this.#stream !== undefined || this.#hasEnded) return;
    try {
      let bytes: number;
      do {
        bytes = readSync(this.#from, buffer);
        if (bytes > 0 && !this.#take(buffer, bytes)) return;
      } while (bytes > 0);
    } catch {
      // EAGAIN: the FIFO is empty, and a process has it open. Another error is found again when the FIFO is watched.
      return;
    }
    this.#close();
  }

  /** Reads whenever something is written. */
  watch(): void {
    if (this.#stream !== undefined || this.#hasEnded) return;
    const from = this.#from;
    if (typeof from === 'number') {
      const callback = (chunkBytes: number) => this.#take(buffer, chunkBytes);
      // `onread` avoids a new buffer for each chunk. The types of Node lack this option.
      const options = { fd: from, readable: true, writable: false, onread: { buffer, callback } };
      this.#stream = new Socket(options).unref();
    } else {
      this.#stream = from.on('data', (chunk: Buffer) => {
        if (!this.#take(chunk, chunk.length)) from.pause();
      });
      (from as Socket).unref();
    }
    this.#stream.once('close', this.#onEnded);
    // Errors are ignored, because a program holds the other end and may cause any error.
    this.#stream.on('error', () => {});
    this.#stream.resume();
  }

  /** Stops reading. A process that writes afterwards receives SIGPIPE. */
  stop(): void {
    if (this.#stream !== undefined) this.#stream.destroy();
    else if (!this.#hasEnded) this.#close();
  }

  #close(): void {
    if (typeof this.#from === 'number') closeSync(this.#from);
    else this.#from.destroy();
    this.#onEnded();
  }

  #take(chunk: Buffer, chunkBytes: number): boolean {
    this.#output.add(chunk, chunkBytes);
    this.#onData(chunk, chunkBytes);
    return this.#goesOn(chunkBytes);
  }

  #goesOn(bytes: number): boolean {
    if (!this.#output.isFull) return true;
    this.#discarded += bytes;
    if (this.#discarded < discardedAtOnce) return true;
    this.#discarded = 0;
    setTimeout(() => this.#stream?.resume(), restMs).unref();
    return false;
  }
}

/** The maximum number of orphaned outputs. Each takes two descriptors. */
const mostOrphaned = 256;

/**
 * Outputs of jobs that have settled, but which a process still has open. The process was left running, or is being killed. The outputs are
 * read and discarded, because a process blocks if its output is not read. At most 256 outputs are kept open. If there are more, the oldest
 * is closed, and SIGPIPE ends a process that still writes to it. Disposing the spawner closes all.
 */
export class OrphanedStreams {
  readonly #outputs = new Set<JobOutput>();

  add(output: JobOutput): void {
    if (output.hasEnded) return;
    output.forgetText();
    this.#outputs.add(output);
    void output.ended.then(() => this.#outputs.delete(output));
    if (this.#outputs.size <= mostOrphaned) return;
    const [oldest] = this.#outputs;
    if (oldest === undefined) return;
    // The output is removed here at once, so that the next call of add() stops another output. The callback of `ended` would remove it
    // only in a later turn of the event loop.
    this.#outputs.delete(oldest);
    oldest.stop();
  }

  stop(): void {
    for (const output of this.#outputs) output.stop();
  }
}

/** The maximum number of bytes of a line that is passed on. */
const longestLine = 65_536;

/**
 * An incomplete line is passed on each time it grows, up to this length. Longer lines are passed on only when they are complete, because
 * decoding a long line again and again takes time. A first line that changes how the hook runs, such as `{"async":true}`, is short.
 */
const longestPiece = 1024;

const lineFeed = 10;

/**
 * Returns a function to call with each chunk of an output and the number of its bytes. It passes the first line to `onLine` while the line
 * is written, until it is complete. The line has its own buffer, because the kept output may be shorter. The caller may reuse a chunk.
 */
export function watchFirstLine(onLine: (text: string, isComplete: boolean) => void): (chunk: Buffer, chunkBytes: number) => void {
  const line = new BoundedOutput(longestLine);
  let isOver = false;
  return (chunk, chunkBytes) => {
    if (isOver) return;
    const end = chunk.subarray(0, chunkBytes).indexOf(lineFeed);
    const isComplete = end >= 0;
    line.add(chunk, isComplete ? end : chunkBytes);
    isOver = isComplete || line.isFull;
    if (line.isFull || (!isComplete && line.bytes > longestPiece)) return;
    onLine(line.read(longestLine).text, isComplete);
  };
}
