import type { Transport } from '@tenterhook/bus';
import { connectToNats } from '@tenterhook/transport-nats';
import { connectMs, NatsServer } from '../../../../test/support/nats-server.js';
import type { TransportEnds } from '../../src/index.js';
import { CuttablePath } from './cuttable-path.js';

/** On a busy machine, thousands of requests at once take longer than the default. Not for ends that are cut off, which confirm nothing. */
const confirmMs = 60_000;

export const maxMessageBytes = 8 * 1024 * 1024;

/** The server accepts the message with its headers. It waits long enough for an end that a test has paused. */
const configuration = `max_payload: ${maxMessageBytes + 4096}\nwrite_deadline: "60s"`;

/** Three clients of one server in one process. Each test has a namespace of its own. */
export class NatsEnds {
  #server: NatsServer | undefined;
  #scenes = 0;
  readonly #ways = new Map<Transport, CuttablePath>();

  async start(): Promise<void> {
    this.#server = await NatsServer.start(configuration);
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
  }

  readonly open = async (): Promise<TransportEnds> => {
    const namespace = this.#nextNamespace();
    const { url } = this.#runningServer();
    const ends = await Promise.all(
      [0, 1, 2].map(() => connectToNats({ servers: url, namespace, maxMessageBytes, confirmMs, timeoutMs: connectMs })),
    );
    return { ends, close: async () => void (await Promise.all(ends.map((end) => end.close()))) };
  };

  /** The same ends, except that a test can interrupt the connections of the second and the third one. */
  readonly openCuttable = async (): Promise<TransportEnds> => {
    const namespace = this.#nextNamespace();
    const { url, port } = this.#runningServer();
    const ends: Transport[] = [await connectToNats({ servers: url, namespace, maxMessageBytes, timeoutMs: connectMs })];
    const ways: CuttablePath[] = [];
    for (const _ of [1, 2]) {
      const way = await CuttablePath.open({ port: 0 }, { port, host: '127.0.0.1' });
      const end = await connectToNats({ servers: `127.0.0.1:${way.port}`, namespace, maxMessageBytes, timeoutMs: connectMs });
      this.#ways.set(end, way);
      ways.push(way);
      ends.push(end);
    }
    return {
      ends,
      close: async () => {
        await Promise.all(ends.map((end) => end.close()));
        await Promise.all(ways.map((way) => way.close()));
      },
    };
  };

  readonly disconnect = async (end: Transport): Promise<() => void> => this.#way(end).cut();

  readonly pause = async (end: Transport): Promise<() => void> => this.#way(end).pause();

  #way(end: Transport): CuttablePath {
    const way = this.#ways.get(end);
    if (way === undefined) throw new TypeError('only ends that were opened here can be cut off');
    return way;
  }

  #runningServer(): NatsServer {
    if (this.#server === undefined) throw new TypeError('the server was not started');
    return this.#server;
  }

  #nextNamespace(): string {
    this.#scenes += 1;
    return `scene-${this.#scenes}`;
  }
}
