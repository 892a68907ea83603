import { randomBytes } from 'node:crypto';
import { closeSync, constants, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { signalGroup } from '../kill/process-group.js';
import { findOnPath, type SpawnedProcess, spawnProcess } from '../run/spawn-process.js';
import { NoPrivateDirectory, removeFiles } from './private-directory.js';

/** The two ends of one pipe. */
export interface PipeEnds {
  /** Ours; reading never blocks. */
  readonly readFd: number;
  /** For the process; our copy is closed once it has its own. */
  readonly writeFd: number;
}

/** The number of pipes per start of `mkfifo`: each job pays a hundredth of it. */
const batch = 128;

/** `mkfifo` takes 2 to 5 ms. A job must not wait forever if it hangs. */
const longestMs = 2000;

/** Jobs that empty the directory, several at once, must not keep another one from starting. After this many attempts the job fails. */
const mostTidied = 16;

/** With fewer left, the next batch is created while jobs still take these. */
const refillBelow = 32;

/**
 * Pipes for the outputs of jobs. Node's pipes are sockets, on which `echo no > /dev/stderr` fails (field failure 50). A file would allow it, but it
 * grows as long as a process writes, even when we are gone, and `> /dev/stdout` empties it. A FIFO has a reader: a process that floods it waits for
 * the reader, and SIGPIPE ends it once the reader is gone.
 *
 * Node cannot create a FIFO, but the program `mkfifo` can. Once both ends are open, its name is removed.
 */
export class NamedPipes {
  readonly #program = process.platform === 'win32' ? undefined : findOnPath('mkfifo', process.env);
  #isUsable = this.#program !== undefined;
  #directory = '';
  #names: string[] = [];
  #making: Promise<void> | undefined;

  /** Undefined if `mkfifo` is missing (Windows) or fails. Rejects with the errno of the failure. */
  async open(directory: string): Promise<PipeEnds | undefined> {
    // The directory may have been removed, and created again elsewhere.
    if (directory !== this.#directory) this.#names = [];
    this.#directory = directory;
    let timesTidied = 0;
    while (this.#isUsable) {
      if (this.#names.length < refillBelow) {
        const made = this.#make();
        if (this.#names.length === 0) await made;
        else made.catch(() => {});
      }
      const name = this.#names.pop();
      if (name === undefined) continue;
      try {
        return openBothEnds(name);
      } catch (error) {
        timesTidied += 1;
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || timesTidied > mostTidied) throw error;
        // The directory was emptied: the others are gone too.
        this.#names = [];
      }
    }
    return undefined;
  }

  #make(): Promise<void> {
    this.#making ??= this.#makeBatch(this.#program as string, this.#directory).finally(() => {
      this.#making = undefined;
    });
    return this.#making;
  }

  async #makeBatch(program: string, directory: string): Promise<void> {
    // Unpredictable: a job that created one of them first could keep all others from their pipes.
    const prefix = randomBytes(9).toString('hex');
    const names = Array.from({ length: batch }, (_, index) => join(directory, `p${prefix}${index}`));
    const start = await spawnProcess({
      file: program,
      args: ['-m', '600', ...names],
      cwd: directory,
      env: {},
      stdio: ['ignore', 'ignore', 'ignore'],
    });
    if ('error' in start) throw start.error;
    const fault = await findFault(start.spawned);
    if (fault === undefined) {
      if (directory === this.#directory) this.#names.push(...names);
      return;
    }
    removeFiles(names);
    // The directory may have been removed meanwhile. Then the next job has another one.
    if (!existsSync(directory)) throw new NoPrivateDirectory('the private directory was removed while a job started: try again');
    this.#isUsable = false;
    process.emitWarning(
      `${program} ${fault}. Outputs of jobs use pipes of Node instead, on which /dev/stdout and /dev/stderr cannot be opened.`,
    );
  }
}

/** What went wrong in a run of `mkfifo`; undefined if it succeeded. */
async function findFault(spawned: SpawnedProcess): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, longestMs, undefined).unref();
  });
  const end = await Promise.race([spawned.ended, tooLong]);
  clearTimeout(timer);
  if (end === undefined) {
    signalGroup(spawned.pid, 'SIGKILL');
    spawned.unref();
    return `did not end within ${longestMs} ms`;
  }
  return end.exitCode === 0 ? undefined : `ended with ${end.signal ?? end.exitCode}`;
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
