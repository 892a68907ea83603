import { closeSync } from 'node:fs';
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
  #tap: ((chunk: Buffer, chunkBytes: number) => void) | undefined;

  /** Opens both outputs. On a failure it rejects with the errno and leaves nothing open. */
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
   * The outputs as the start of the process needs them: descriptors of FIFOs. `pipe` means a pipe that Node creates, used only if there are
   * no FIFOs, because a process cannot open it as /dev/stdout.
   */
  get stdio(): readonly [stdout: number | 'pipe', stderr: number | 'pipe'] {
    return [this.#ends[0]?.writeFd ?? 'pipe', this.#ends[1]?.writeFd ?? 'pipe'];
  }

  /** Starts to read, after the process was started. `streams` are our ends of the pipes that Node created. */
  read(streams: readonly (Readable | undefined)[]): void {
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
  }

  /** Passes everything that is written to stdout from now on to the function. A chunk is valid only during the call. */
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

  /** Whether no process has the other ends open any more, so that nothing more can be written. */
  get hasEnded(): boolean {
    return this.#readers.every((reader) => reader.hasEnded);
  }

  get ended(): Promise<unknown> {
    return Promise.all(this.#readers.map((reader) => reader.ended));
  }

  /** The output so far. `most` is a limit of the bytes of each output, in addition to the limits of the job. */
  capture(most = Number.POSITIVE_INFINITY): Omit<CapturedOutput, 'pid' | 'leftProcesses'> {
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
    for (const reader of this.#readers) reader.stop();
  }
}

/** One buffer for all readers: each chunk is processed before the next one is read. */
const buffer = Buffer.allocUnsafe(65_536);

/**
 * After this number of discarded bytes, reading pauses for `restMs`, so that a process that writes very much does not slow down the agent.
 */
const discardedAtOnce = 4 * 1024 * 1024;
const restMs = 10;

/** Reads one output until no process has it open any more. The reader does not keep the event loop alive, because the job does that. */
class OutputReader {
  /** Resolves when no process holds the other end any more, or after stop(). */
  readonly ended: Promise<void>;
  readonly #stream: Readable;
  readonly #output: BoundedOutput;
  #discarded = 0;
  #hasEnded = false;

  /** `from` is our end of a pipe, which the reader closes, or the stream that Node created. */
  constructor(from: number | Readable, output: BoundedOutput, onData: (chunk: Buffer, chunkBytes: number) => void) {
    this.#output = output;
    const take = (chunk: Buffer, chunkBytes: number): boolean => {
      output.add(chunk, chunkBytes);
      onData(chunk, chunkBytes);
      return this.#goesOn(chunkBytes);
    };
    if (typeof from === 'number') {
      const callback = (chunkBytes: number) => take(buffer, chunkBytes);
      // `onread` avoids a new buffer for each chunk. It is missing in the types of Node.
      const options = { fd: from, readable: true, writable: false, onread: { buffer, callback } };
      this.#stream = new Socket(options).unref();
    } else {
      this.#stream = from.on('data', (chunk: Buffer) => {
        if (!take(chunk, chunk.length)) from.pause();
      });
      (from as Socket).unref();
    }
    this.ended = new Promise((resolve) => {
      this.#stream.once('close', () => {
        this.#hasEnded = true;
        resolve();
      });
      // A program holds the other end and may cause any error.
      this.#stream.on('error', () => {});
    });
    this.#stream.resume();
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Stops reading. A process that writes afterwards receives SIGPIPE. */
  stop(): void {
    this.#stream.destroy();
  }

  #goesOn(bytes: number): boolean {
    if (!this.#output.isFull) return true;
    this.#discarded += bytes;
    if (this.#discarded < discardedAtOnce) return true;
    this.#discarded = 0;
    setTimeout(() => this.#stream.resume(), restMs).unref();
    return false;
  }
}

/** The maximum number of orphaned outputs. Each takes two descriptors. */
const mostOrphaned = 256;

/**
 * Outputs of settled jobs that a process still has open, because it was left running or is being killed. They are read and discarded,
 * because a process blocks if its output is not read. At most 256 outputs are kept open. If there are more, the oldest is closed, and a
 * process that still writes to it receives SIGPIPE. When the spawner is disposed, all are closed.
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
    // The output is removed now, although it ends in a later turn of the event loop. If more outputs are added until then, each of them
    // must stop a different one.
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
 * Up to this length, an incomplete line is passed on each time it grows. A first line with a meaning for the event is short, and decoding a
 * long line again and again takes time.
 */
const longestPiece = 1024;

const lineFeed = 10;

/**
 * Passes on the first line of an output while it is written, until it is complete. It keeps the line itself, because the kept output may be
 * shorter. The returned function must be called with each chunk and the number of its bytes; the chunk may be reused afterwards.
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
