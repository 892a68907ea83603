import { closeSync } from 'node:fs';
import type { Readable } from 'node:stream';
import type { CapturedOutput } from '../job.js';
import { BoundedOutput, type OutputText } from './bounded-output.js';
import { closeEnds, type NamedPipes, type PipeEnds } from './named-pipes.js';
import { OutputReader } from './output-reader.js';
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
  /** The reading ends of FIFOs that a lane lends to the job. */
  readonly #lent: readonly number[];
  #readers: readonly OutputReader[] = [];
  #changedAt = performance.now();
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

  /** Uses the FIFOs of a lane, which opens them for writing itself. `lent`: our reading ends of stdout and stderr. */
  static ofLane(caps: OutputCaps, lent: readonly number[]): JobOutput {
    return new JobOutput(caps, [], lent);
  }

  private constructor({ stdoutBytes, stderrBytes }: OutputCaps, ends: readonly PipeEnds[], lent: readonly number[] = []) {
    this.#stdout = new BoundedOutput(stdoutBytes);
    this.#stderr = new BoundedOutput(stderrBytes);
    this.#ends = ends;
    this.#lent = lent;
  }

  /**
   * The values for stdout and stderr in the `stdio` option of `spawn`: the descriptor of a FIFO or, if there are no FIFOs, `pipe`. With
   * `pipe` Node creates a pipe, which a process cannot open as /dev/stdout.
   */
  get stdio(): readonly [stdout: number | 'pipe', stderr: number | 'pipe'] {
    return [this.#ends[0]?.writeFd ?? 'pipe', this.#ends[1]?.writeFd ?? 'pipe'];
  }

  /**
   * Starts to read. Call it after the process has started. `streams` are our ends of the pipes that Node created. FIFOs of a lane are not
   * watched yet: to watch a FIFO takes longer than to read it once at the end of a short job.
   */
  read(streams: readonly (Readable | undefined)[]): void {
    const onData = () => {
      this.#changedAt = performance.now();
    };
    const onStdout = (chunk: Buffer, chunkBytes: number) => {
      onData();
      this.#tap?.(chunk, chunkBytes);
    };
    const isLent = this.#lent.length > 0;
    const from = isLent ? this.#lent : this.#ends.length > 0 ? this.#ends.map((ends) => ends.readFd) : streams;
    for (const { writeFd } of this.#ends) closeSync(writeFd);
    this.#readers = [this.#stdout, this.#stderr].flatMap((output, index) => {
      const source = from[index];
      return source === undefined ? [] : new OutputReader(source, isLent, output, index === 0 ? onStdout : onData);
    });
    if (!isLent) this.watch();
  }

  /** Reads at once what was written to the FIFOs of a lane. Call it when the process has ended. Outputs that are still open are watched from then on. */
  readRest(): void {
    if (this.#lent.length === 0) return;
    for (const reader of this.#readers) reader.readNow();
    this.watch();
  }

  /** Reads whenever something is written. */
  watch(): void {
    for (const reader of this.#readers) reader.watch();
  }

  /**
   * Returns whether the lane may use its FIFOs for another job: all processes have closed them, and they are empty. Otherwise they are closed
   * with this output.
   */
  giveBack(): boolean {
    const isEmpty = this.#readers.every((reader) => reader.isReusable);
    if (!isEmpty) for (const reader of this.#readers) reader.keep();
    return isEmpty;
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

  /** Whether stdout is the beginning of an object so far. */
  get isUnfinished(): boolean {
    return this.#stdout.isUnfinishedObject;
  }

  get ended(): Promise<unknown> {
    return Promise.all(this.#readers.map((reader) => reader.ended));
  }

  /** Returns the output so far, at most `most` bytes of stdout and of stderr. */
  capture(most = Number.POSITIVE_INFINITY): Omit<CapturedOutput, 'pid' | 'leftProcesses'> {
    this.readRest();
    return joinOutputs(this.#stdout.read(most), this.#stderr.read(most));
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

/** Returns the two outputs of a process as the fields of its end. */
export function joinOutputs(stdout: OutputText, stderr: OutputText): Omit<CapturedOutput, 'pid' | 'leftProcesses'> {
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
