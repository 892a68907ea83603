import { chmodSync, linkSync, lstatSync, renameSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { listens } from './listens.js';
import { type DaemonAnswer, type DaemonRequest, formatAnswer, maxRequestBytes, parseRequest } from './message.js';

export interface DaemonOptions {
  /** The path of the socket, in a folder that only this user can use. */
  readonly socket: string;
  /** Returns how to answer a request, or undefined if it cannot be answered here. */
  readonly prepare: (request: DaemonRequest) => Promise<(() => Promise<DaemonAnswer>) | undefined>;
  /** Tests whether the program of the daemon was replaced. The daemon then ends. */
  readonly isOutdated: () => boolean;
  /** The daemon ends after this many milliseconds without a request. */
  readonly idleMs: number;
  /** The daemon looks at these intervals whether the name of its socket was taken away, and whether it is outdated. */
  readonly lookMs: number;
  /** The daemon ends after an event if it uses more bytes of memory. */
  readonly maxMemoryBytes: number;
}

/** The flag with which the daemon answers with stdout alone, for clients that read no protocol. */
const plainWord = 'plain';

/**
 * Answers clients on a socket, until it is stopped, idle, or outdated. It then answers what it has taken. A client whose request was not
 * taken has it answered by a process of its own, so nothing is lost.
 */
export class Daemon {
  readonly #options: DaemonOptions;
  readonly #server: Server;
  /** Resolves when the daemon has answered everything and has released the socket. */
  readonly ended: Promise<void>;
  #resolveEnded = () => {};
  #inode: bigint | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  #lookTimer: NodeJS.Timeout | undefined;
  #open = 0;
  #answered = 0;
  #isEnding = false;

  private constructor(options: DaemonOptions) {
    this.#options = options;
    this.#server = createServer({ allowHalfOpen: true }, (socket) => void this.#serve(socket));
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
  }

  /** Starts to listen. Resolves to undefined if another daemon listens already. */
  static async listen(options: DaemonOptions): Promise<Daemon | undefined> {
    const daemon = new Daemon(options);
    // The socket gets its name when it answers, so that a client never finds one that does not.
    const unnamed = join(dirname(options.socket), `relay-1.${process.pid}`);
    rmSync(unnamed, { force: true });
    await new Promise<void>((resolve, reject) => {
      daemon.#server.once('error', reject);
      daemon.#server.listen(unnamed, resolve);
    });
    chmodSync(unnamed, 0o600);
    daemon.#inode = inodeOf(unnamed);
    if (!(await takesName(unnamed, options.socket))) {
      daemon.#server.close();
      return undefined;
    }
    daemon.#lookTimer = setInterval(() => daemon.#look(), options.lookMs);
    daemon.#rest();
    return daemon;
  }

  /** The number of connections that are open. */
  get open(): number {
    return this.#open;
  }

  /** Takes no further request. */
  stop(): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    clearTimeout(this.#idleTimer);
    clearInterval(this.#lookTimer);
    if (this.#isNamed()) rmSync(this.#options.socket, { force: true });
    this.#server.close();
    this.#rest();
  }

  /** No client finds a daemon whose socket has lost its name, for example because a program has cleaned the folder. */
  #look(): void {
    if (!this.#isNamed() || this.#options.isOutdated()) this.stop();
  }

  /** Tests whether the name is that of our socket. Another daemon may have taken it. */
  #isNamed(): boolean {
    return this.#inode !== undefined && inodeOf(this.#options.socket) === this.#inode;
  }

  async #serve(socket: Socket): Promise<void> {
    // A client that ends early does not make the daemon fail.
    socket.on('error', () => {});
    this.#open += 1;
    clearTimeout(this.#idleTimer);
    try {
      const request = await readRequest(socket);
      if (this.#options.isOutdated()) this.stop();
      const answer = request === undefined || this.#isEnding ? undefined : await this.#options.prepare(request);
      const isPlain = request?.words.includes(plainWord) === true;
      // A client that is gone has the event answered elsewhere, so no guard may run for it here.
      if (answer === undefined || !(isPlain || (await isWritten(socket, '+')))) return;
      const said = await answer();
      this.#answered += 1;
      await isWritten(socket, isPlain ? said.stdout : formatAnswer(said));
    } finally {
      socket.destroy();
      this.#open -= 1;
      this.#rest();
    }
  }

  #rest(): void {
    if (this.#open > 0) return;
    if (this.#isEnding) {
      this.#resolveEnded();
      return;
    }
    if (process.memoryUsage.rss() > this.#options.maxMemoryBytes && this.#answered > 0) this.stop();
    else this.#idleTimer = setTimeout(() => this.stop(), this.#options.idleMs);
  }
}

/** Gives a listening socket its name. Resolves to false if another daemon has the name and answers. */
async function takesName(unnamed: string, socket: string): Promise<boolean> {
  try {
    linkSync(unnamed, socket);
    rmSync(unnamed);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  if (await listens(socket)) {
    rmSync(unnamed);
    return false;
  }
  renameSync(unnamed, socket);
  return true;
}

function inodeOf(path: string): bigint | undefined {
  return lstatSync(path, { throwIfNoEntry: false, bigint: true })?.ino;
}

/** Reads to the end. Resolves to undefined for anything that is not a request, or too large. */
async function readRequest(socket: Socket): Promise<DaemonRequest | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
      bytes += (chunk as Buffer).length;
      if (bytes > maxRequestBytes) return undefined;
      chunks.push(chunk as Buffer);
    }
  } catch {
    return undefined;
  }
  return parseRequest(Buffer.concat(chunks));
}

/** Writes, and resolves to whether the client still listens. */
function isWritten(socket: Socket, data: string | Buffer): Promise<boolean> {
  return new Promise((resolve) => {
    if (!socket.writable) resolve(false);
    else socket.write(data, (error) => resolve(error === undefined || error === null));
    socket.once('close', () => resolve(false));
  });
}
