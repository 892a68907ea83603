import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programFile } from './program.js';

/** Debian installs the server into a directory that PATH may not contain. */
const file = programFile('nats-server') ?? ['/usr/sbin/nats-server', '/usr/local/sbin/nats-server'].find(existsSync);

/** The limit of a test for connecting. On a busy machine, an answer of a server can take longer than the default of the client. */
export const connectMs = 60_000;

/**
 * Declares a test that needs a NATS server. Without the program, the test fails in CI, and elsewhere it is skipped under a title that says
 * how to install the program.
 */
export function testWithNats(title: string, run: () => Promise<void>): void {
  if (file !== undefined) {
    test(title, run);
    return;
  }
  if (process.env['CI']) {
    test(title, () => {
      throw new Error('The test needs nats-server. Install it: apt-get install nats-server.');
    });
    return;
  }
  test.skip(`${title} [not run: there is no nats-server; install it with: apt-get install nats-server]`, run);
}

/** A server on a free port of this machine, with a directory of its own. The test that starts it must stop it. */
export class NatsServer {
  readonly #directory: string;
  readonly #diskMebibytes: number | undefined;
  #configuration: string;
  #child: ChildProcess | undefined;
  #port = -1;

  private constructor(configuration: string, diskMebibytes?: number) {
    this.#directory = mkdtempSync(join(tmpdir(), 'th-nats-'));
    this.#diskMebibytes = diskMebibytes;
    this.#configuration = configuration;
    mkdirSync(this.#store);
  }

  /** Starts a server with lines of configuration, in the format of `nats-server.conf`. */
  static async start(configuration = ''): Promise<NatsServer> {
    const server = new NatsServer(configuration);
    await server.restart();
    return server;
  }

  /** Starts a server whose JetStream has a small disk of its own, in memory. Needs the right to mount. */
  static async startWithDisk(mebibytes: number): Promise<NatsServer> {
    const server = new NatsServer('', mebibytes);
    await server.restart();
    return server;
  }

  get #store(): string {
    return join(this.#directory, 'jetstream');
  }

  /** Fills the disk of the server. The returned function frees it. */
  fillDisk(): () => void {
    // The disk is mounted for the process of the server only.
    const file = join(`/proc/${this.#child?.pid}/root`, this.#store, 'full');
    for (const bytes of [64 * 1024, 4096, 1]) {
      try {
        for (;;) appendFileSync(file, Buffer.alloc(bytes));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    }
    return () => rmSync(file);
  }

  get port(): number {
    return this.#port;
  }

  get url(): string {
    return `nats://127.0.0.1:${this.#port}`;
  }

  /** Ends the process, and starts it again with other lines of configuration. */
  async reconfigure(configuration: string): Promise<void> {
    await this.kill();
    this.#configuration = configuration;
    await this.restart();
  }

  /** Starts the server again, on the same port. */
  async restart(): Promise<void> {
    const path = join(this.#directory, 'nats-server.conf');
    const jetstream = `jetstream { store_dir: ${JSON.stringify(this.#store)} }`;
    writeFileSync(path, `host: 127.0.0.1\nport: ${this.#port}\n${jetstream}\n${this.#configuration}\n`);
    const command = [file as string, '--config', path] as const;
    const mount = `mount -t tmpfs -o size=${this.#diskMebibytes}m tmpfs "$0" && exec "$@"`;
    const [program, ...args] =
      this.#diskMebibytes === undefined ? command : (['unshare', '-m', 'sh', '-c', mount, this.#store, ...command] as const);
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    this.#child = child;
    let written = '';
    this.#port = await new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`nats-server exited with ${code}: ${written}`)));
      child.stderr?.on('data', (chunk: Buffer) => {
        if (written.length < 100_000) written += chunk.toString();
        const port = /Listening for client connections on 127\.0\.0\.1:(\d+)/.exec(written)?.[1];
        if (port !== undefined && written.includes('Server is ready')) resolve(Number(port));
      });
    });
  }

  /** Stops reading and writing (SIGSTOP), until the returned function is called. */
  pause(): () => void {
    this.#child?.kill('SIGSTOP');
    return () => {
      this.#child?.kill('SIGCONT');
    };
  }

  /** Removes what JetStream has stored. Call it while the server is ended. */
  loseDisk(): void {
    rmSync(this.#store, { recursive: true });
    mkdirSync(this.#store);
  }

  /** Ends the process. `restart()` starts another one. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
