import { closeSync } from 'node:fs';
import { BoundedOutput } from './bounded-output.js';
import type { StartedProcess } from '../run/spawn-process.js';
import type { Fifos, PipeEnds } from './named-pipes.js';
import { OutputReader } from '../output-reader.js';
import type { CapturedOutput } from '../job.js';

export interface OutputCaps {
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

  /** Rejects with the errno of what could not be done, and leaves nothing then. */
  static async open(directory: string, fifos: Fifos, caps: OutputCaps): Promise<JobOutput> {
    const ends: PipeEnds[] = [];
    try {
      for (const _ of ['stdout', 'stderr']) {
        const pipe = await fifos.open(directory);
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

  /** For the process: a descriptor, or an order to Node to make a pipe of its own, on which /dev/stdout cannot be opened. */
  get stdio(): readonly [stdout: number | 'pipe', stderr: number | 'pipe'] {
    return [this.#ends[0]?.writeFd ?? 'pipe', this.#ends[1]?.writeFd ?? 'pipe'];
  }

  /** Once the process has its ends. */
  read(started: StartedProcess): void {
    const onData = () => {
      this.#changedAt = performance.now();
    };
    const onStdout = (chunk: Buffer, chunkBytes: number) => {
      onData();
      this.#tap?.(chunk, chunkBytes);
    };
    const from = this.#ends.length > 0 ? this.#ends.map((ends) => ends.readFd) : started.streams;
    for (const { writeFd } of this.#ends) closeSync(writeFd);
    this.#readers = [this.#stdout, this.#stderr].flatMap((output, index) => {
      const source = from[index];
      return source === undefined ? [] : new OutputReader(source, output, index === 0 ? onStdout : onData);
    });
  }

  /** Called with everything that comes on stdout from now on; the chunk is good for the call alone. */
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

  /** Nobody holds the other ends any more, so nothing more will come. */
  get hasEnded(): boolean {
    return this.#readers.every((reader) => reader.hasEnded);
  }

  get ended(): Promise<unknown> {
    return Promise.all(this.#readers.map((reader) => reader.ended));
  }

  /** `most`: bytes of each, should less than what was kept be wanted. */
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

  /** It has been captured, and what comes now is nobody's. */
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
