import { constants } from 'node:os';
import { quietIf } from './deferred.js';
import type { HookChannel } from './hook-channel.js';
import { HookRigError } from './hook-rig-error.js';
import type { FloodOptions, ForkOptions, HookRun, OutputStream } from './hook-run.js';
import type { Command, HookHello } from './messages.js';

/** A process that a run is about to start. It will connect to the rig. */
export interface ExpectedArrival {
  /** The token that the process sends when it connects. */
  readonly token: string;
  /**
   * Resolves to the run when the process connects. Resolves to undefined for a watcher, because a watcher has no run. Rejects if
   * the process or the run ends first.
   */
  readonly arrival: Promise<HookRun | undefined>;
}

/** Signals whose default action does not end a process. */
const harmless = new Set(['SIGSTOP', 'SIGTSTP', 'SIGTTIN', 'SIGTTOU', 'SIGCONT', 'SIGCHLD', 'SIGURG', 'SIGWINCH']);

/** The test's side of one remote-controlled process. */
export class RemoteHook implements HookRun {
  readonly pid: number;
  readonly ppid: number;
  readonly label: string | undefined;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly ended: Promise<void>;
  readonly #channel: HookChannel;
  readonly #expectArrival: () => ExpectedArrival;
  #stdin: Promise<string> | undefined;

  constructor(hello: HookHello, channel: HookChannel, expectArrival: () => ExpectedArrival) {
    this.pid = hello.pid;
    this.ppid = hello.ppid;
    this.label = hello.label;
    this.argv = hello.argv;
    this.env = hello.env;
    this.cwd = hello.cwd;
    this.ended = channel.ended;
    this.#channel = channel;
    this.#expectArrival = expectArrival;
  }

  stdin(): Promise<string> {
    this.#stdin ??= quietly(this.#read('readStdin'));
    return this.#stdin;
  }

  input(): Promise<unknown> {
    return quietly(this.stdin().then(parseInput));
  }

  reopenStdin(): Promise<string> {
    return quietly(this.#read('reopenStdin'));
  }

  stdout(data: string | Uint8Array): Promise<void> {
    return this.#write('stdout', data);
  }

  stderr(data: string | Uint8Array): Promise<void> {
    return this.#write('stderr', data);
  }

  flood({ stream, bytes, chunkBytes = 65_536 }: FloodOptions): Promise<void> {
    return quietly(
      (async () => {
        requireSize('bytes', bytes, 0);
        requireSize('chunkBytes', chunkBytes, 1);
        await this.#channel.send({ do: 'flood', stream, bytes, chunkBytes });
      })(),
    );
  }

  closeStdin(): Promise<void> {
    return this.#do({ do: 'close', stream: 'stdin' });
  }

  closeStdout(): Promise<void> {
    return this.#do({ do: 'close', stream: 'stdout' });
  }

  closeStderr(): Promise<void> {
    return this.#do({ do: 'close', stream: 'stderr' });
  }

  ignoreSignals(...signals: readonly NodeJS.Signals[]): Promise<void> {
    return this.#do({ do: 'ignoreSignals', signals });
  }

  signalled(signal: NodeJS.Signals): Promise<void> {
    return this.#channel.signalled(signal);
  }

  stop(): Promise<void> {
    return quietly(this.#startAndAwait((token) => ({ do: 'watch', token })).then(() => {}));
  }

  chdir(path: string): Promise<void> {
    return this.#do({ do: 'chdir', path });
  }

  fork({ detached = false, stdio = 'inherit', label, env }: ForkOptions = {}): Promise<HookRun> {
    const named = { ...(label === undefined ? {} : { label }), ...(env === undefined ? {} : { env }) };
    return quietly(this.#startAndAwait((token) => ({ do: 'fork', token, detached, stdio, ...named })).then((run) => run as HookRun));
  }

  exit(code: number): Promise<void> {
    return quietly(
      this.#endBy({ do: 'exit', code }, Number.isInteger(code) && code >= 0 && code <= 255, `${code} is not an exit code from 0 to 255`),
    );
  }

  kill(signal: NodeJS.Signals): Promise<void> {
    const ends = Object.hasOwn(constants.signals, signal) && !harmless.has(signal);
    return quietly(this.#endBy({ do: 'kill', signal }, ends, `${signal} is not a signal that ends a process`));
  }

  #do(command: Command): Promise<void> {
    return quietly(this.#channel.send(command).then(() => {}));
  }

  #read(what: 'readStdin' | 'reopenStdin'): Promise<string> {
    return this.#channel.send({ do: what }).then((bytes) => bytes.toString('utf8'));
  }

  #write(stream: OutputStream, data: string | Uint8Array): Promise<void> {
    return this.#do({ do: 'write', stream, data: Buffer.from(data as string).toString('base64') });
  }

  /**
   * Sends the command and waits until the new process connects. Does not wait for the answer, because a hook that is already paused
   * cannot answer. Rejects if the answer reports a failure.
   */
  #startAndAwait(commandWith: (token: string) => Command): Promise<HookRun | undefined> {
    const { token, arrival } = this.#expectArrival();
    return Promise.race([arrival, this.#channel.send(commandWith(token)).then(() => arrival)]);
  }

  /** Sends a command that ends the process. There is no answer; the end of the connection replaces it. */
  async #endBy(command: Command, isPossible: boolean, complaint: string): Promise<void> {
    if (!isPossible) throw new TypeError(complaint);
    if (this.#channel.hasEnded) throw this.#channel.endedError(command.do);
    await Promise.race([this.ended, this.#channel.send(command).catch(unlessEnded)]);
    await this.ended;
  }
}

function quietly<Value>(promise: Promise<Value>): Promise<Value> {
  return quietIf(hasEndedCode, promise);
}

function hasEndedCode(error: unknown): boolean {
  return error instanceof HookRigError && error.code === 'ended';
}

function unlessEnded(error: unknown): void {
  if (!hasEndedCode(error)) throw error;
}

function requireSize(name: string, value: number, least: number): void {
  if (Number.isSafeInteger(value) && value >= least) return;
  throw new TypeError(`${name} must be a whole number of bytes from ${least}, and is ${value}`);
}

function parseInput(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new HookRigError('malformed', `the input is not JSON (${String(error)}): ${text.slice(0, 200)}`);
  }
}
