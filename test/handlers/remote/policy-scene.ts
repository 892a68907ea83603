import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageBus, type Transport } from '@tenterhook/bus';
import { type RemoteHandlers, type RemoteHandlersOptions, remoteHandlers } from '@tenterhook/handlers';
import { connectToNats } from '@tenterhook/transport-nats';
import { createHooks, type Hooks } from 'tenterhook';
import { connectMs, NatsServer } from '../../support/nats-server.js';

/** A process with the engine `policy`. */
export interface Policy {
  /** Resolves when the handler `hangs` is called. */
  called(): Promise<void>;
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Sends a signal, and does not wait for the end. */
  signal(signal: NodeJS.Signals): void;
  /** Lets the handler `waits` answer. */
  go(): void;
  /** Drains the engine, and ends the process. Resolves to its exit status. */
  leave(): Promise<number | null>;
}

/** A server, and agents on it that have hooks of their own. The engine runs in other processes. */
export class PolicyScene {
  readonly server: NatsServer;
  readonly #folder = mkdtempSync(join(tmpdir(), 'policy-'));
  readonly #children: ChildProcess[] = [];
  readonly #opened: { close(): unknown }[] = [];

  private constructor(server: NatsServer) {
    this.server = server;
  }

  static async start(): Promise<PolicyScene> {
    return new PolicyScene(await NatsServer.start());
  }

  /** An agent with two command hooks: one allows every tool, the other denies the tool `local-deny`. */
  async agent(
    options: Partial<RemoteHandlersOptions> = {},
  ): Promise<{ hooks: Hooks; remote: RemoteHandlers; bus: MessageBus; transport: Transport }> {
    const transport = await connectToNats({ servers: this.server.url, timeoutMs: connectMs });
    const bus = new MessageBus({ transport });
    const remote = remoteHandlers(bus, { accept: ({ name }) => name === 'policy', ...options });
    const allow = { name: 'allows', command: `echo '{"decision":"allow"}'` };
    const deny = { name: 'denies', command: 'echo "not on this machine" >&2; exit 2' };
    const settings = { hooks: { BeforeTool: [{ hooks: [allow] }, { matcher: '^local-deny$', hooks: [deny] }] } };
    const hooks = await createHooks({ projectDir: this.#folder, settings, handlers: [remote] });
    this.#opened.push({ close: () => hooks.dispose() }, remote, bus, transport);
    return { hooks, remote, bus, transport };
  }

  /** Starts an engine. Resolves when it has announced itself. */
  async policy(version?: string): Promise<Policy> {
    const args = [this.server.url, ...(version === undefined ? [] : [version])];
    const child = fork(join(import.meta.dirname, 'policy-process.mjs'), args, { execArgv: [] });
    this.#children.push(child);
    const said = (kind: string) =>
      new Promise<void>((resolve) => child.on('message', (message: { kind?: string }) => message.kind === kind && resolve()));
    await said('connected');
    return {
      called: () => said('called'),
      kill: (signal = 'SIGKILL') => end(child, signal),
      signal: (signal) => void child.kill(signal),
      go: () => void child.send('go'),
      async leave() {
        const exited = once(child, 'exit');
        child.send('leave');
        const [status] = (await exited) as [number | null];
        return status;
      },
    };
  }

  async end(): Promise<void> {
    for (const opened of this.#opened) await opened.close();
    await Promise.all(this.#children.map((child) => end(child, 'SIGKILL')));
    await this.server.stop();
    rmSync(this.#folder, { recursive: true });
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

export async function withPolicyScene(run: (scene: PolicyScene) => Promise<void>): Promise<void> {
  const scene = await PolicyScene.start();
  try {
    await run(scene);
  } finally {
    await scene.end();
  }
}
