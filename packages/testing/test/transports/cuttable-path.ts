import { connect, createServer, type Server, type Socket } from 'node:net';
import { pipeline } from 'node:stream';

/** A way to a socket, for one end, that a test can cut. */
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

  /** Who connects to `path` gets to what listens at `target`. */
  static async open(path: string, target: string): Promise<CuttablePath> {
    const way = new CuttablePath(target);
    await new Promise<void>((resolve) => way.#server.listen({ path }, resolve));
    return way;
  }

  /** Ends what goes over it, and lets nothing more through until the returned function is called. */
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
    // Each direction ends with the other, however it ends.
    pipeline(near, far, near, () => {});
  }
}
