import { randomBytes } from 'node:crypto';
import { closeSync, constants, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { signalGroup } from '../kill/process-group.js';
import { findOnPath, type ProcessEnd, type SpawnedProcess, spawnProcess } from '../run/spawn-process.js';
import { NoRoom, type PrivateDirectory, removeFiles } from './private-directory.js';

/** The two ends of one pipe. */
export interface PipeEnds {
  /** Ours; reading never blocks. */
  readonly readFd: number;
  /** For the process; our copy is closed once it has its own. */
  readonly writeFd: number;
}

/** For pipes that no job uses. */
export function closeEnds({ readFd, writeFd }: PipeEnds): void {
  closeSync(readFd);
  closeSync(writeFd);
}

/**
 * The number of pipes per start of `mkfifo`, which takes 2 to 5 ms: eight jobs share it. Each pipe that waits for a job takes two descriptors, so
 * there are not more.
 */
const batch = 16;

/** `mkfifo` must not make a job wait forever if it hangs. */
const longestMs = 2000;

/** Jobs that empty the directory, several at once, must not keep another one from starting. After this many attempts the job fails. */
const mostEmptied = 16;

/** With fewer left, the next batch is created while jobs still take these. */
const refillBelow = 8;

/**
 * Pipes for the outputs of jobs. Node's pipes are sockets, on which `echo no > /dev/stderr` fails (field failure 50). A file would allow it, but it
 * grows as long as a process writes, even when we are gone, and `> /dev/stdout` empties it. A FIFO has a reader: a process that floods it waits for
 * the reader, and SIGPIPE ends it once the reader is gone.
 *
 * Node cannot create a FIFO, but the program `mkfifo` can. Both ends are opened and the name is removed as soon as it exists, not when a job takes
 * the pipe: a job that opened pipes by their names would read what a later guard prints.
 */
export class NamedPipes {
  readonly #program = process.platform === 'win32' ? undefined : findOnPath('mkfifo', process.env);
  #isUsable = this.#program !== undefined;
  #isClosed = false;
  #ready: PipeEnds[] = [];
  #making: Promise<number> | undefined;

  /** Undefined if `mkfifo` is missing (Windows) or fails. Rejects with the errno of the failure. */
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

  /** Resolves to the number of pipes. Fewer than a batch if another process removed some. */
  #make(directory: PrivateDirectory): Promise<number> {
    this.#making ??= this.#makeBatch(this.#program as string, directory).finally(() => {
      this.#making = undefined;
    });
    return this.#making;
  }

  async #makeBatch(program: string, directory: PrivateDirectory): Promise<number> {
    let fault: string | undefined;
    const refusals: string[] = [];
    // In another base if there is no room for more names in the first: every user can fill /dev/shm.
    for (const path of directory.paths(0, refusals)) {
      // Unpredictable: a job that created one of them first could keep all others from their pipes.
      const prefix = randomBytes(9).toString('hex');
      const names = Array.from({ length: batch }, (_, index) => join(path, `p${prefix}${index}`));
      const start = await spawnProcess({
        file: program,
        args: ['-m', '600', ...names],
        cwd: path,
        env: {},
        stdio: ['ignore', 'ignore', 'ignore'],
      });
      if ('error' in start) throw existsSync(path) ? start.error : removed();
      const end = await waitForEnd(start.spawned);
      if (end?.exitCode === 0) return this.#openAll(names);
      removeFiles(names);
      // The directory may have been removed meanwhile. Then the next job has another one.
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

  /** Throws the errno if the machine is short of a resource, and no pipe could be opened. */
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

/** Undefined if it did not end in time. */
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

/** Opens the reader first: without a reader, opening for writing would wait for one. */
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
