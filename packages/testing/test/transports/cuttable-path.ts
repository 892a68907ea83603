import { type AddressInfo, connect, createServer, type NetConnectOpts, type Server, type Socket } from 'node:net';
import { pipeline, Transform } from 'node:stream';

/** A proxy between one end and the centre of a transport. A test can interrupt it, or stop what flows to the end. */
export class CuttablePath {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #target: NetConnectOpts;
  #isCut = false;
  #gate: Promise<void> | undefined;
  #last: { readonly text: string; left: number; readonly pause: () => void } | undefined;

  private constructor(target: NetConnectOpts) {
    this.#target = target;
    this.#server = createServer((near) => {
      if (this.#isCut) near.destroy();
      else this.#join(near, connect(this.#target));
    });
  }

  /** Forwards connections to a path, or to a free port of this machine, to the target. */
  static async open(at: { readonly path: string } | { readonly port: 0 }, target: NetConnectOpts): Promise<CuttablePath> {
    const way = new CuttablePath(target);
    await new Promise<void>((resolve) => way.#server.listen({ ...at, ...('path' in at ? {} : { host: '127.0.0.1' }) }, resolve));
    return way;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Closes all connections, and refuses new ones until the returned function is called. */
  cut(): () => void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
    return () => {
      this.#isCut = false;
    };
  }

  /** Stops what flows to the end, until the returned function is called. */
  pause(): () => void {
    let open = () => {};
    this.#gate = new Promise((resolve) => {
      open = resolve;
    });
    return () => {
      this.#gate = undefined;
      open();
    };
  }

  /**
   * Stops what flows to the end after the data with the given occurrence of a text. Resolves then to the function that ends the pause.
   */
  pauseAfter(text: string, occurrence: number): Promise<() => void> {
    return new Promise((resolve) => {
      this.#last = { text, left: occurrence, pause: () => resolve(this.pause()) };
    });
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #countLast(data: string): void {
    const last = this.#last;
    if (last === undefined) return;
    last.left -= data.split(last.text).length - 1;
    if (last.left > 0) return;
    this.#last = undefined;
    last.pause();
  }

  #join(near: Socket, far: Socket): void {
    for (const socket of [near, far]) {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    }
    const gate = new Transform({
      transform: (chunk, _encoding, pass) => {
        if (this.#gate !== undefined) {
          void this.#gate.then(() => pass(null, chunk));
          return;
        }
        pass(null, chunk);
        this.#countLast(String(chunk));
      },
    });
    // If one direction ends, for whatever reason, the other one ends too.
    pipeline(near, far, gate, near, () => {});
  }
}
