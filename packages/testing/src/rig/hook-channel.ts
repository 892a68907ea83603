import type { Socket } from 'node:net';
import { type Deferred, defer } from './deferred.js';
import { HookRigError } from './hook-rig-error.js';
import type { Command, Report } from './messages.js';
import { writeJsonLine } from './messages.js';

interface Pending {
  readonly wanted: string;
  readonly answer: Deferred<Buffer>;
  readonly pieces: Buffer[];
}

/** The connection to one process. It sends commands, and receives their answers and the signals that arrived. */
export class HookChannel {
  /** Resolves when the connection ends. The operating system closes it when the process ends, even if SIGKILL ended the process. */
  readonly ended: Promise<void>;
  readonly #socket: Socket;
  readonly #name: string;
  readonly #pending = new Map<number, Pending>();
  readonly #signals = new Map<string, Deferred<void>>();
  #hasEnded = false;
  #count = 0;

  /** `name` is the name of the process in messages, e.g. `the hook "guard" (pid 7)`. */
  constructor(socket: Socket, name: string) {
    this.#socket = socket;
    this.#name = name;
    this.ended = new Promise((resolve) => {
      socket.once('close', () => {
        this.#end();
        resolve();
      });
    });
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Sends a command. Resolves with the data that the process has read for this command. */
  send(command: Command): Promise<Buffer> {
    const answer = defer<Buffer>();
    if (this.#hasEnded) {
      answer.rejectQuietly(this.endedError(command.do));
      return answer.promise;
    }
    this.#count += 1;
    const id = this.#count;
    this.#pending.set(id, { wanted: command.do, answer, pieces: [] });
    writeJsonLine(this.#socket, { id, ...command });
    return answer.promise;
  }

  receive(report: Exclude<Report, { kind: 'fork-ended' }>): void {
    if (report.kind === 'signal') {
      this.#signal(report.signal).resolve();
      return;
    }
    const pending = this.#pending.get(report.id);
    if (report.kind === 'piece') {
      pending?.pieces.push(Buffer.from(report.data, 'base64'));
      return;
    }
    this.#pending.delete(report.id);
    if (report.error === undefined) pending?.answer.resolve(Buffer.concat(pending.pieces));
    else pending?.answer.reject(new HookRigError(report.error.code, `${this.#name}: ${report.error.message}`));
  }

  signalled(signal: string): Promise<void> {
    const arrival = this.#signal(signal);
    if (this.#hasEnded) arrival.rejectQuietly(this.endedError(`await ${signal}`));
    return arrival.promise;
  }

  endedError(wanted: string): HookRigError {
    return new HookRigError('ended', `${this.#name} has ended, so it cannot ${wanted}. Await its commands before you end it.`);
  }

  #signal(signal: string): Deferred<void> {
    const known = this.#signals.get(signal);
    if (known !== undefined) return known;
    const arrival = defer<void>();
    this.#signals.set(signal, arrival);
    return arrival;
  }

  #end(): void {
    this.#hasEnded = true;
    for (const { wanted, answer } of this.#pending.values()) answer.rejectQuietly(this.endedError(wanted));
    this.#pending.clear();
    for (const [signal, arrival] of this.#signals) arrival.rejectQuietly(this.endedError(`await ${signal}`));
  }
}
