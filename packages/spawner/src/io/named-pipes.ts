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
  /** The end for the process. Our copy is closed once the process has its own. */
  readonly writeFd: number;
}

/** Closes both ends of a pipe that no job uses. */
export function closeEnds({ readFd, writeFd }: PipeEnds): void {
  closeSync(readFd);
  closeSync(writeFd);
}

/**
 * The number of pipes that the first start of `mkfifo` creates. A start takes 2 to 5 ms, which eight jobs share, because each uses two
 * pipes. The first batch is small, because each pipe that waits for a job takes two descriptors, and many programs run few jobs.
 */
const firstBatch = 16;

/** Each later start creates twice as many pipes as the one before it, up to this number. */
const largestBatch = 64;

/** The timeout of `mkfifo` in milliseconds, so that a job does not wait forever if it hangs. */
const longestMs = 2000;

/**
 * The maximum number of attempts for one job. The processes of other jobs may remove new pipes from the directory before they are opened; a
 * new batch is then created, so that they cannot keep this job from starting. After the last attempt the job fails.
 */
const mostEmptied = 16;

/** If fewer pipes than this are left, the next batch is created in advance. */
const refillBelow = 8;

/**
 * Creates pipes for the outputs of jobs. They are FIFOs. Two alternatives were rejected:
 * - a pipe of Node is a socket, and `echo no > /dev/stderr` fails on a socket (field failure 50);
 * - a file grows as long as a process writes to it, even after our process has ended, and `> /dev/stdout` empties it.
 *
 * A FIFO has neither problem: a process that writes much must wait for its reader, and SIGPIPE ends it once the reader is gone.
 *
 * Node cannot create a FIFO, but the program `mkfifo` can. Both ends are opened and the name is removed as soon as the FIFO exists, and not
 * only when a job needs the pipe. Otherwise a job could open the pipes of later jobs by name and read what a guard prints.
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
   * is short of a resource.
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

  /** Closes the pipes that wait for a job. */
  close(): void {
    this.#isClosed = true;
    for (const ends of this.#ready.splice(0)) closeEnds(ends);
  }

  /** Creates a batch of pipes and resolves to their number. The number is smaller than a batch if another process removed some. */
  #make(directory: PrivateDirectory): Promise<number> {
    this.#making ??= this.#makeBatch(this.#program as string, directory).finally(() => {
      this.#making = undefined;
    });
    return this.#making;
  }

  async #makeBatch(program: string, directory: PrivateDirectory): Promise<number> {
    let fault: string | undefined;
    const refusals: string[] = [];
    // If the file system of the first directory is full, the next one is used, because every user can fill /dev/shm.
    for (const path of directory.paths(0, refusals)) {
      // The names are unpredictable. If a job could guess them and create them first, it could keep other jobs from starting.
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
      // The directory may have been removed in the meantime. In that case the next job uses a new one.
      if (!existsSync(path)) throw removed();
      fault = end === undefined ? `did not end within ${longestMs} ms` : `ended with ${end.signal ?? end.exitCode}`;
      if (end === undefined) break;
    }
    if (fault === undefined) throw new NoRoom(refusals.join('; '));
    this.#isUsable = false;
    process.emitWarning(
      `${program} ${fault}. Outputs of jobs use pipes of Node instead, on which /dev/stdout and /dev/stderr cannot be opened.`,
    );
    return 0;
  }

  /** Opens the pipes. Throws the errno if the machine is short of a resource and no pipe could be opened. */
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
    if (this.#isClosed) this.close();
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
