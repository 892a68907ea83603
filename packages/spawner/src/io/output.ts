import { closeSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { CapturedOutput } from '../job.js';
import { BoundedOutput } from './bounded-output.js';
import type { NamedPipes, PipeEnds } from './named-pipes.js';

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

  /** Rejects with the errno of what failed, and leaves nothing open then. */
  static async open(directory: string, namedPipes: NamedPipes, caps: OutputCaps): Promise<JobOutput> {
    const ends: PipeEnds[] = [];
    try {
      for (const _ of ['stdout', 'stderr']) {
        const pipe = await namedPipes.open(directory);
        if (pipe !== undefined) ends.push(pipe);
      }
    } catch (error) {
      closeAll(ends);
      throw error;
    }
    if (ends.length === 2) return new JobOutput(caps, ends);
    closeAll(ends);
    return new JobOutput(caps, []);
  }

  private constructor({ stdoutBytes, stderrBytes }: OutputCaps, ends: readonly PipeEnds[]) {
    this.#stdout = new BoundedOutput(stdoutBytes);
    this.#stderr = new BoundedOutput(stderrBytes);
    this.#ends = ends;
  }

  /** For the process: descriptors, or `pipe` for a pipe that Node makes, on which /dev/stdout cannot be opened. */
  get stdio(): readonly [stdout: number | 'pipe', stderr: number | 'pipe'] {
    return [this.#ends[0]?.writeFd ?? 'pipe', this.#ends[1]?.writeFd ?? 'pipe'];
  }

  /** Once the process has its ends. `streams`: our ends of the pipes that Node made. */
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

  /** Called with everything that comes on stdout from now on; the chunk is valid during the call alone. */
  tapStdout(tap: (chunk: Buffer, chunkBytes: number) => void): void {
    this.#tap = tap;
  }

  /** No process came of it. */
  discard(): void {
    closeAll(this.#ends);
  }

  /** When something was written last, or the job began. */
  get changedAt(): number {
    return this.#changedAt;
  }

  /** No process holds the other ends any more, so nothing more will come. */
  get hasEnded(): boolean {
    return this.#readers.every((reader) => reader.hasEnded);
  }

  get ended(): Promise<unknown> {
    return Promise.all(this.#readers.map((reader) => reader.ended));
  }

  /** `most`: bytes of each output, if less than what was kept is wanted. */
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

  /** After the capture: what comes from now on is only counted. */
  forgetText(): void {
    this.#tap = undefined;
    this.#stdout.forgetText();
    this.#stderr.forgetText();
  }

  stop(): void {
    for (const reader of this.#readers) reader.stop();
  }
}

function closeAll(ends: readonly PipeEnds[]): void {
  for (const { readFd, writeFd } of ends) {
    closeSync(readFd);
    closeSync(writeFd);
  }
}

/** All readers share one: each chunk is used up before the next one is read. */
const buffer = Buffer.allocUnsafe(65_536);

/** This much of what is discarded is read at once, and then the loop has a rest: a flood must take the hook's time, never the agent's. */
const discardedAtOnce = 4 * 1024 * 1024;
const restMs = 10;

/** Reads one output to its end, whichever process holds it. Does not keep the event loop alive: the job does. */
class OutputReader {
  /** Resolves when no process holds the other end any more, or after stop(). */
  readonly ended: Promise<void>;
  readonly #stream: Readable;
  readonly #output: BoundedOutput;
  #discarded = 0;
  #hasEnded = false;

  /** `from`: our end of a pipe, which is closed with the reader; or the stream that Node made of it. */
  constructor(from: number | Readable, output: BoundedOutput, onData: (chunk: Buffer, chunkBytes: number) => void) {
    this.#output = output;
    const take = (chunk: Buffer, chunkBytes: number): boolean => {
      output.add(chunk, chunkBytes);
      onData(chunk, chunkBytes);
      return this.#goesOn(chunkBytes);
    };
    if (typeof from === 'number') {
      const callback = (chunkBytes: number) => take(buffer, chunkBytes);
      // The type lacks `onread`, which saves a buffer for every chunk.
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
      // A program holds the other end, and may do anything with it.
      this.#stream.on('error', () => {});
    });
    this.#stream.resume();
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** A process that still writes gets SIGPIPE. */
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

/** Two descriptors each. */
const mostOrphaned = 256;

/**
 * Outputs of jobs that have settled and that some process still holds: one that was left running, or that is being killed. They are read and
 * discarded, because a process whose output is not read stands still when it writes. Of more than 256 the oldest is stopped, and at the end
 * of the spawner all of them: a process that writes to one of these gets SIGPIPE.
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
    // It ends in a later turn of the loop; until then others may come, and each must stop another one.
    this.#outputs.delete(oldest);
    oldest.stop();
  }

  stop(): void {
    for (const output of this.#outputs) output.stop();
  }
}

/** The most bytes of a line that is passed on. */
const longestLine = 65_536;

/**
 * Up to this length a line is passed on as it grows: a program that says something in its first line says it in a few words, and decoding each
 * piece of a long line takes time.
 */
const longestPiece = 1024;

const lineFeed = 10;

/**
 * Passes on the first line of an output as it comes, until it is complete. Independent of what is kept of the output, which may be less. The
 * returned function takes the output: the first so many bytes of a chunk that may be used again afterwards.
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
