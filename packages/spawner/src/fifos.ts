import { randomBytes } from 'node:crypto';
import { closeSync, constants, openSync } from 'node:fs';
import { join } from 'node:path';
import { startDirectly } from './direct-spawn.js';
import { removeFiles } from './remove-files.js';
import { findOnPath } from './shell.js';

/** The two ends of one pipe. */
export interface PipeEnds {
  /** Ours; reading never blocks. */
  readonly readFd: number;
  /** For the process; ours is to be closed once it has its own. */
  readonly writeFd: number;
}

/** Made with one start of `mkfifo`, so that a job pays a hundredth of it. */
const batch = 128;

/** With fewer left the next are made, while jobs still take these. */
const refillBelow = 32;

/**
 * Pipes for the outputs of jobs. What Node gives a child as a pipe is a socket, on which `echo no > /dev/stderr` fails (field failure 50); a file,
 * the other way to have that, grows as long as somebody writes and nobody looks, also when we are gone, and is emptied by `> /dev/stdout`. A FIFO
 * has a reader: who floods waits for it, and is ended by SIGPIPE once there is none.
 *
 * Node cannot make one, the program `mkfifo` can. Each is opened at both ends and its name removed, so nobody else comes near it.
 */
export class Fifos {
  #directory = '';
  #names: string[] = [];
  #making: Promise<void> | undefined;

  /** Undefined where there is no `mkfifo` (Windows). Rejects with the errno of what could not be done. */
  async open(directory: string): Promise<PipeEnds | undefined> {
    const program = process.platform === 'win32' ? undefined : findOnPath('mkfifo', process.env);
    if (program === undefined) return undefined;
    // The directory may have been removed, and made again elsewhere.
    if (directory !== this.#directory) this.#names = [];
    this.#directory = directory;
    while (this.#names.length === 0) await this.#make(program);
    const name = this.#names.pop() as string;
    if (this.#names.length < refillBelow) void this.#make(program).catch(() => {});
    return openBothEnds(name);
  }

  #make(program: string): Promise<void> {
    this.#making ??= this.#makeBatch(program, this.#directory).finally(() => {
      this.#making = undefined;
    });
    return this.#making;
  }

  async #makeBatch(program: string, directory: string): Promise<void> {
    // Not to be foreseen: a job that made one of them first would keep all others from their pipes.
    const prefix = randomBytes(9).toString('hex');
    const names = Array.from({ length: batch }, (_, index) => join(directory, `p${prefix}${index}`));
    const start = await startDirectly({
      file: program,
      args: ['-m', '600', ...names],
      cwd: directory,
      env: {},
      stdio: ['ignore', 'ignore', 'ignore'],
    });
    if ('error' in start) throw start.error;
    const { exitCode, signal } = await start.started.ended;
    if (exitCode !== 0) throw new Error(`${program} ended with ${signal ?? exitCode}, so there are no pipes for what jobs print`);
    if (directory === this.#directory) this.#names.push(...names);
  }
}

/** The reader first: without one, opening for writing would wait for it. */
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
