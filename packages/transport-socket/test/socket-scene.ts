import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Transport } from '@tenterhook/bus';
import type { BusMessage } from '@tenterhook/protocol';
import { type ConnectToSocketOptions, connectToSocket, type ListenOnSocketOptions, listenOnSocket } from '../src/index.js';
import { encodeFrame, FrameDecoder } from '../src/wire/frames.js';
import { protocolVersion } from '../src/wire/socket-protocol.js';
import { Peers } from './peer.js';

export const cancel = (correlationId: string): BusMessage => ({ type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId } });

export const request = (correlationId: string): BusMessage => ({
  type: 'HOOK_EXECUTION_REQUEST',
  payload: { correlationId, eventName: 'BeforeTool', input: {} },
});

/** The identity of a raw peer. */
export const identity = 'identity-of-a-raw-peer';

/** A directory for one test, and everything that the test opened in it. `end()` removes all of it. */
export class SocketScene {
  readonly directory = mkdtempSync(join(tmpdir(), 'th-socket-'));
  readonly path = join(this.directory, 'bus');
  readonly peers = new Peers();
  readonly #transports: Transport[] = [];
  readonly #sockets: Socket[] = [];

  async hub(options: Partial<ListenOnSocketOptions> = {}): Promise<Transport> {
    return this.#keep(await listenOnSocket({ path: this.path, ...options }));
  }

  async client(options: Partial<ConnectToSocketOptions> = {}): Promise<Transport> {
    return this.#keep(await connectToSocket({ path: this.path, ...options }));
  }

  raw(): RawPeer {
    const socket = connect({ path: this.path });
    this.#sockets.push(socket);
    return new RawPeer(socket);
  }

  async end(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(this.#transports.map((transport) => transport.close()));
    await this.peers.end();
    rmSync(this.directory, { recursive: true, force: true });
  }

  #keep(transport: Transport): Transport {
    this.#transports.push(transport);
    return transport;
  }
}

/** A client that writes the bytes that the test wants. */
export class RawPeer {
  readonly socket: Socket;
  readonly ended: Promise<void>;
  readonly #decoder = new FrameDecoder(1_000_000_000);
  readonly #frames: unknown[] = [];
  #wake: () => void = () => {};

  constructor(socket: Socket) {
    this.socket = socket;
    this.ended = new Promise((resolve) => socket.once('close', () => resolve()));
    socket.on('error', () => {});
    socket.on('data', (piece: Buffer) => {
      this.#decoder.push(piece);
      for (let frame = this.#decoder.next(); frame !== undefined; frame = this.#decoder.next()) this.#frames.push(frame);
      this.#wake();
    });
  }

  say(frame: unknown): void {
    this.socket.write(encodeFrame(JSON.stringify(frame)));
  }

  hello(channels: readonly string[] = [], servers: readonly unknown[] = [], name = identity): void {
    this.say({ kind: 'hello', protocol: protocolVersion, identity: name, channels, servers });
  }

  async heard(): Promise<Record<string, unknown>> {
    while (this.#frames.length === 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return (this.#frames.shift() as { value: Record<string, unknown> }).value;
  }
}

/** Resolves to the next state that the transport reports. */
export function nextState(transport: Transport): Promise<string> {
  return new Promise((resolve) => {
    const stop = transport.onConnectionChange?.((state) => {
      stop?.();
      resolve(state);
    });
  });
}

/** Collects the received messages, and lets a test wait for the next one. */
export function listen(transport: Transport, channel: BusMessage['type']) {
  const messages: BusMessage[] = [];
  let wake = () => {};
  transport.subscribe(channel, (message) => {
    messages.push(message);
    wake();
  });
  return {
    messages,
    count: async (least: number) => {
      while (messages.length < least) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return messages;
    },
  };
}
