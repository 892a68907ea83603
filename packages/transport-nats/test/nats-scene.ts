import { connect, type NatsConnection } from '@nats-io/transport-node';
import { MessageBus, type Transport } from '@tenterhook/bus';
import { connectMs, NatsServer } from '../../../test/support/nats-server.js';
import { type ConnectToNatsOptions, connectToNats } from '../src/index.js';

export const asked = { eventName: 'BeforeTool', input: {} };
export const channel = 'HOOK_EXECUTION_REQUEST';

/** A server for one test, and everything that the test connected to it. `end()` closes all of it. */
export class NatsScene {
  readonly server: NatsServer;
  readonly #buses: MessageBus[] = [];
  readonly #transports: Transport[] = [];
  readonly #connections: NatsConnection[] = [];

  private constructor(server: NatsServer) {
    this.server = server;
  }

  static async start(configuration?: string): Promise<NatsScene> {
    return new NatsScene(await NatsServer.start(configuration));
  }

  async transport(options: ConnectToNatsOptions = {}): Promise<Transport> {
    const transport = await connectToNats({ servers: this.server.url, timeoutMs: connectMs, ...options });
    this.#transports.push(transport);
    return transport;
  }

  async bus(options: ConnectToNatsOptions = {}): Promise<MessageBus> {
    return this.busOn(await this.transport(options));
  }

  busOn(transport: Transport): MessageBus {
    const bus = new MessageBus({ transport });
    this.#buses.push(bus);
    return bus;
  }

  /** A connection without a transport, as a program has it that knows nothing of Tenterhook. */
  async raw(options: Parameters<typeof connect>[0] = {}): Promise<NatsConnection> {
    const connection = await connect({ servers: this.server.url, ...options });
    this.#connections.push(connection);
    return connection;
  }

  async end(): Promise<void> {
    await Promise.all(this.#buses.map((bus) => bus.close()));
    await Promise.all([...this.#transports, ...this.#connections].map((opened) => opened.close()));
    await this.server.stop();
  }
}

/** Declares what a test does with a server of its own. */
export async function withScene(run: (scene: NatsScene) => Promise<void>, configuration?: string): Promise<void> {
  const scene = await NatsScene.start(configuration);
  try {
    await run(scene);
  } finally {
    await scene.end();
  }
}
