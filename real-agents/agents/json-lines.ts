import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export type Fields = Readonly<Record<string, unknown>>;

interface Waiter {
  readonly isWanted: (message: Fields) => boolean;
  readonly resolve: (message: Fields) => void;
  readonly reject: (error: Error) => void;
}

/** A process that reads and writes one JSON object in each line. */
export class JsonLines {
  /** Everything that the process has written, in order. Lines that are not JSON are left out. */
  readonly received: Fields[] = [];
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #ended: Promise<void>;
  #waiters: Waiter[] = [];
  #stderr = '';
  #problem: Error | undefined;

  constructor(file: string, args: readonly string[], { cwd, env }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv }) {
    this.#child = spawn(file, [...args], { cwd, env });
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
    });
    this.#child.stdin.on('error', () => {});
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#receive(line));
    this.#ended = new Promise((resolve) => {
      this.#child.once('error', (error) => this.#fail(error.message));
      this.#child.once('close', (status, signal) => {
        this.#fail(`ended with ${status ?? signal}`);
        resolve();
      });
    });
  }

  send(message: object): void {
    this.#child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  /** Returns the first message from now on that is wanted, or one of those since `from`. Rejects if the process ends before. */
  next(isWanted: (message: Fields) => boolean, from = this.received.length): Promise<Fields> {
    const received = this.received.slice(from).find(isWanted);
    if (received !== undefined) return Promise.resolve(received);
    if (this.#problem !== undefined) return Promise.reject(this.#problem);
    return new Promise((resolve, reject) => this.#waiters.push({ isWanted, resolve, reject }));
  }

  /** Closes stdin, at which the process ends. */
  async end(): Promise<void> {
    this.#child.stdin.end();
    await this.#ended;
  }

  #receive(line: string): void {
    let message: Fields;
    try {
      message = JSON.parse(line) as Fields;
    } catch {
      this.#stderr += `${line}\n`;
      return;
    }
    this.received.push(message);
    const waiting = this.#waiters.find(({ isWanted }) => isWanted(message));
    if (waiting === undefined) return;
    this.#waiters = this.#waiters.filter((waiter) => waiter !== waiting);
    waiting.resolve(message);
  }

  #fail(what: string): void {
    this.#problem ??= new Error(`${this.#child.spawnfile} ${what}.\n${this.#stderr}`);
    for (const { reject } of this.#waiters) reject(this.#problem);
    this.#waiters = [];
  }
}
