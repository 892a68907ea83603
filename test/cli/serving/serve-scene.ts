import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { MessageBus, type Transport } from '@tenterhook/bus';
import { type ConnectToNatsOptions, connectToNats } from '@tenterhook/transport-nats';
import { connectMs, NatsServer } from '../../support/nats-server.js';
import { type RunningCli, startCli } from '../../support/running-cli.js';
import { until } from '../../support/until.js';

export const channel = 'HOOK_EXECUTION_REQUEST';

/** Asks for BeforeTool. The text is the session, which hooks find on stdin. */
export function ask(bus: MessageBus, session = 's') {
  const input = { tool_name: 'deploy', tool_input: {}, session_id: session };
  return bus.request(channel, { eventName: 'BeforeTool', input: input as never }, { timeoutMs: 30_000 });
}

/** Writes settings with one hook of BeforeTool, and returns their project directory. */
export function writeProject(folder: string, command: string, fields: object = {}): string {
  mkdirSync(join(folder, '.llxprt'), { recursive: true });
  const settings = {
    tools: { enableHooks: true },
    hooks: { BeforeTool: [{ hooks: [{ name: 'guard', type: 'command', command, ...fields }] }] },
  };
  writeFileSync(join(folder, '.llxprt/settings.json'), JSON.stringify(settings));
  return folder;
}

export async function serving(worker: RunningCli): Promise<void> {
  await until('the worker serves', () => worker.stderr().includes('note: serving'));
}

/** A server, workers in processes of their own, and agents in this process. `end()` ends all of it. */
export class ServeScene {
  readonly directory = mkdtempSync(join(tmpdir(), 'th-serve-'));
  readonly server: NatsServer;
  readonly #workers: RunningCli[] = [];
  readonly #closing: (() => Promise<unknown>)[] = [];

  private constructor(server: NatsServer) {
    this.server = server;
  }

  static async start(configuration?: string): Promise<ServeScene> {
    return new ServeScene(await NatsServer.start(configuration));
  }

  /** Starts `tenterhook serve` with a hook of BeforeTool. Resolves when it serves. */
  async worker(command: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<RunningCli> {
    const cwd = writeProject(join(this.directory, `project-${this.#workers.length}`), command);
    const worker = startCli(['serve', ...(args.includes('--nats') ? [] : ['--nats', this.server.url]), ...args], { cwd, env });
    this.#workers.push(worker);
    await serving(worker);
    return worker;
  }

  async transport(options: ConnectToNatsOptions = {}) {
    const transport = await connectToNats({ servers: this.server.url, timeoutMs: connectMs, ...options });
    this.#closing.push(() => transport.close());
    return transport;
  }

  async agent(options: ConnectToNatsOptions = {}): Promise<MessageBus> {
    return this.busOn(await this.transport(options));
  }

  /** A connection without a transport. */
  async raw(): Promise<NatsConnection> {
    const connection = await connect({ servers: this.server.url });
    this.#closing.push(() => connection.close());
    return connection;
  }

  busOn(transport: Transport): MessageBus {
    const bus = new MessageBus({ transport });
    this.#closing.push(() => bus.close());
    return bus;
  }

  async end(): Promise<void> {
    for (const worker of this.#workers) worker.kill('SIGKILL');
    await Promise.all(this.#workers.map(({ ended }) => ended));
    for (const close of this.#closing.reverse()) await close();
    await this.server.stop();
    rmSync(this.directory, { recursive: true });
  }
}

export async function withServeScene(run: (scene: ServeScene) => Promise<void>, configuration?: string): Promise<void> {
  const scene = await ServeScene.start(configuration);
  try {
    await run(scene);
  } finally {
    await scene.end();
  }
}
