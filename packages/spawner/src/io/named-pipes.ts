import { randomBytes } from 'node:crypto';
import { closeSync, constants, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { signalGroup } from '../kill/process-group.js';
import { findOnPath, type ProcessEnd, type SpawnedProcess, spawnProcess } from '../run/spawn-process.js';
import { NoRoom, type PrivateDirectory, removeFiles } from './private-directory.js';

/** The two ends of one pipe. */
export interface PipeEnds {
  /** The end that we read. Reading never blocks. */
  readonly readFd: number;
  /** The end for the process. Our copy of this descriptor is closed once the process has its own. */
  readonly writeFd: number;
}

/** Closes both ends of a pipe that no job uses. */
export function closeEnds({ readFd, writeFd }: PipeEnds): void {
  closeSync(readFd);
  closeSync(writeFd);
}

/**
 * The number of pipes that the first run of `mkfifo` creates, enough for eight jobs. One run takes 2 to 5 ms. The first batch is small,
 * because many programs run few jobs and each unused pipe occupies two descriptors.
 */
const firstBatch = 16;

/** Each further batch is twice as large as the previous one, up to this number of pipes. */
const largestBatch = 64;

/** Milliseconds after which `mkfifo` is killed. Without a timeout, jobs would wait forever for a `mkfifo` that hangs. */
const longestMs = 2000;

/**
 * The maximum number of batches that are created for one job. Processes of other jobs can delete new pipes from the directory before they
 * are opened, and then another batch is needed. After the last batch the job fails.
 */
const mostEmptied = 16;

/** If fewer pipes than this are left, the next batch is created in advance. */
const refillBelow = 8;

/**
 * Creates FIFOs for the outputs of jobs. Two alternatives were rejected:
 * - A pipe of Node is a socket, and `echo no > /dev/stderr` fails on a socket (field failure 50).
 * - A file grows as long as a process writes to it, even after our process has ended. `> /dev/stdout` empties it.
 *
 * With a FIFO, a process that writes much waits for its reader. If the reader is gone, SIGPIPE ends the process.
 *
 * Node cannot create a FIFO, so the program `mkfifo` does. Both ends are opened at once, and the name is removed. If the name were kept
 * until a job needs the pipe, another job could open it and read what a guard prints.
 */
export class NamedPipes {
  readonly #program = process.platform === 'win32' ? undefined : findOnPath('mkfifo', process.env);
  #isUsable = this.#program !== undefined;
  #isClosed = false;
  #ready: PipeEnds[] = [];
  #making: Promise<number> | undefined;
  #batch = firstBatch;

  /**
   * Returns a pipe for one output. Resolves to undefined if `mkfifo` is missing (Windows) or fails. Rejects with the errno if the machine
   * has no free descriptors or memory.
   */
  async open(directory: PrivateDirectory): Promise<PipeEnds | undefined> {
    let timesEmptied = 0;
    while (this.#isUsable && !this.#isClosed) {
      if (this.#ready.length < refillBelow) {
        const made = this.#make(directory);
        if (this.#ready.length > 0) made.catch(() => {});
        else if ((await made) === 0) timesEmptied += 1;
      }
      const ends = this.#ready.pop();
      if (ends !== undefined) return ends;
      if (timesEmptied > mostEmptied) throw new NoRoom('pipes are removed from the private directory as soon as they exist');
    }
    return undefined;
  }

  /** Closes the pipes that wait for a job. Resolves when no run of `mkfifo` is left, which would leave names in the directory. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#closeReady();
    await this.#making?.catch(() => {});
  }

  #closeReady(): void {
    for (const ends of this.#ready.splice(0)) closeEnds(ends);
  }

  /**
   * Creates a batch of pipes and resolves to their number. The number is smaller than the batch if another process deleted some of them.
   */
  #make(directory: PrivateDirectory): Promise<number> {
    this.#making ??= this.#makeBatch(this.#program as string, directory).finally(() => {
      this.#making = undefined;
    });
    return this.#making;
  }

  async #makeBatch(program: string, directory: PrivateDirectory): Promise<number> {
    let fault: string | undefined;
    const refusals: string[] = [];
    // Every user can fill /dev/shm. If the file system of one directory is full, the next directory is tried.
    for (const path of directory.paths(0, refusals)) {
      // The names are random. A job that could guess them could create them first, and no other job could start.
      const prefix = randomBytes(9).toString('hex');
      const names = Array.from({ length: this.#batch }, (_, index) => join(path, `p${prefix}${index}`));
      const start = await spawnProcess({
        file: program,
        args: ['-m', '600', ...names],
        cwd: path,
        env: {},
        stdio: ['ignore', 'ignore', 'ignore'],
      });
      if ('error' in start) throw existsSync(path) ? start.error : removed();
      const end = await waitForEnd(start.spawned);
      if (end?.exitCode === 0) {
        this.#batch = Math.min(2 * this.#batch, largestBatch);
        return this.#openAll(names);
      }
      removeFiles(names);
      // Another process may have removed the directory. The next job then creates a new one.
      if (!existsSync(path)) throw removed();
      fault = end === undefined ? `did not end within ${longestMs} ms` : `ended with ${end.signal ?? end.exitCode}`;
      if (end === undefined) break;
    }
    if (fault === undefined) throw new NoRoom(refusals.join('; '));
    this.#isUsable = false;
    process.emitWarning(`${program} ${fault}. Jobs now write to pipes of Node, on which programs cannot open /dev/stdout and /dev/stderr.`);
    return 0;
  }

  /**
   * Opens the pipes and returns how many could be opened. If none could, because the machine has no free descriptors or memory, throws the
   * errno.
   */
  #openAll(names: readonly string[]): number {
    let opened = 0;
    for (const [index, name] of names.entries()) {
      try {
        this.#ready.push(openBothEnds(name));
        opened += 1;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue;
        removeFiles(names.slice(index));
        if (opened === 0) throw error;
        break;
      }
    }
    if (this.#isClosed) this.#closeReady();
    return opened;
  }
}

function removed(): NoRoom {
  return new NoRoom('the private directory was removed while a job started');
}

/** The end of `mkfifo`. Undefined if it did not end in time. */
async function waitForEnd(spawned: SpawnedProcess): Promise<ProcessEnd | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, longestMs, undefined).unref();
  });
  const end = await Promise.race([spawned.ended, tooLong]);
  clearTimeout(timer);
  if (end === undefined) {
    signalGroup(spawned.pid, 'SIGKILL');
    spawned.unref();
  }
  return end;
}

/** Opens the reading end first: opening the writing end would wait for a reader. */
function openBothEnds(name: string): PipeEnds {
  const readFd = openSync(name, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const writeFd = openSync(name, constants.O_WRONLY);
    return { readFd, writeFd };
  } catch (error) {
    closeSync(readFd);
    throw error;
  } finally {
    removeFiles([name]);
  }
}
