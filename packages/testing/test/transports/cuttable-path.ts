import { connect, createServer, type Server, type Socket } from 'node:net';
import { pipeline } from 'node:stream';

/** A proxy socket between one end and the hub. A test can interrupt it. */
export class CuttablePath {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isCut = false;

  private constructor(target: string) {
    this.#server = createServer((near) => {
      if (this.#isCut) near.destroy();
      else this.#join(near, connect({ path: target }));
    });
  }

  /** Forwards connections to `path` to the socket at `target`. */
  static async open(path: string, target: string): Promise<CuttablePath> {
    const way = new CuttablePath(target);
    await new Promise<void>((resolve) => way.#server.listen({ path }, resolve));
    return way;
  }

  /** Closes all connections, and refuses new ones until the returned function is called. */
  cut(): () => void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
    return () => {
      this.#isCut = false;
    };
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #join(near: Socket, far: Socket): void {
    for (const socket of [near, far]) {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    }
    // If one direction ends, for whatever reason, the other one ends too.
    pipeline(near, far, near, () => {});
  }
}
