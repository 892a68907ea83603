import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { type Deferred, defer } from './deferred.js';
import { HookChannel } from './hook-channel.js';
import type { HookRun } from './hook-run.js';
import { type HookHello, readHello, readJsonLines, readReport } from './messages.js';
import { type ExpectedArrival, RemoteHook } from './remote-hook.js';

interface Expected {
  readonly arrival: Deferred<HookRun | undefined>;
  /** The channel to the process that starts the expected process. */
  readonly channel: HookChannel;
}

type ReadLine = (value: unknown) => boolean;

export class RigConnections {
  readonly #socketPath: string;
  readonly #onHook: (run: HookRun) => void;
  readonly #sockets = new Set<Socket>();
  readonly #pids = new Map<HookChannel, number>();
  readonly #expected = new Map<string, Expected>();
  #count = 0;

  constructor(socketPath: string, onHook: (run: HookRun) => void) {
    this.#socketPath = socketPath;
    this.#onHook = onHook;
  }

  accept(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    // A killed process may reset the connection. The 'close' event follows, and its listener does the cleanup.
    socket.on('error', () => {});
    let read: ReadLine | undefined;
    readJsonLines(socket, (value) => {
      if (read !== undefined) return read(value);
      read = this.#greet(socket, value);
      return read !== undefined;
    });
  }

  /** Kills all processes, without waiting. A process has ended when its connection is closed. */
  endAll(): void {
    for (const pid of this.#pids.values()) endProcess(pid, this.#socketPath);
    // Some processes could not be killed, because their id is not known yet or we lack the permission. They end themselves when
    // their connection ends.
    for (const socket of this.#sockets) socket.end();
  }

  /** Closes the connections of processes that keep theirs open. */
  cutOff(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #greet(socket: Socket, value: unknown): ReadLine | undefined {
    const hello = readHello(value);
    if (hello === undefined) return undefined;
    if (hello.kind === 'hook') return this.#greetHook(socket, hello);
    const expected = this.#takeExpected(hello.token);
    expected?.arrival.resolve(undefined);
    // This message tells the watcher to end, because the process has ended. If the connection ends without the message, the watcher
    // kills the process.
    void Promise.resolve(expected?.channel.ended).then(() => socket.writable && socket.end('over\n'));
    return () => false;
  }

  #greetHook(socket: Socket, hello: HookHello): ReadLine {
    const channel = new HookChannel(socket, describe(hello));
    this.#pids.set(channel, hello.pid);
    void channel.ended.then(() => this.#forget(channel));
    const run = new RemoteHook(hello, channel, () => this.#expect(channel));
    if (hello.token === undefined) this.#onHook(run);
    else this.#takeExpected(hello.token)?.arrival.resolve(run);
    return (line) => {
      const report = readReport(line);
      if (report === undefined) return false;
      if (report.kind === 'fork-ended') this.#failFork(report.token);
      else channel.receive(report);
      return true;
    };
  }

  #expect(channel: HookChannel): ExpectedArrival {
    this.#count += 1;
    const token = String(this.#count);
    const arrival = defer<HookRun | undefined>();
    this.#expected.set(token, { arrival, channel });
    return { token, arrival: arrival.promise };
  }

  #takeExpected(token: string): Expected | undefined {
    const expected = this.#expected.get(token);
    this.#expected.delete(token);
    return expected;
  }

  #failFork(token: string): void {
    const expected = this.#takeExpected(token);
    expected?.arrival.rejectQuietly(expected.channel.endedError('fork: the fork ended before it connected'));
  }

  #forget(channel: HookChannel): void {
    this.#pids.delete(channel);
    for (const [token, expected] of this.#expected) {
      if (expected.channel !== channel) continue;
      this.#expected.delete(token);
      expected.arrival.rejectQuietly(channel.endedError('start another process'));
    }
  }
}

function describe({ label, pid, token }: HookHello): string {
  const kind = token === undefined ? 'hook' : 'fork';
  return label === undefined ? `The ${kind} with pid ${pid}` : `The ${kind} ${JSON.stringify(label)} (pid ${pid})`;
}

/**
 * Sends SIGKILL to a process of the rig with this socket. A process in a sandbox reports its id in the sandbox, and outside another
 * process may have this id. So on Linux the arguments of the process are checked first.
 */
export function endProcess(pid: number, socketPath: string): void {
  try {
    if (process.platform === 'linux' && !readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(socketPath)) return;
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has ended, or we lack the permission to kill it. In the second case it ends itself when its connection ends.
  }
}
