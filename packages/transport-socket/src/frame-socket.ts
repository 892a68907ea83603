import type { Socket } from 'node:net';
import { createLog } from '@tenterhook/bus/internal';
import { encodeFrame, FrameDecoder } from './frames.js';

export const log = createLog('socket');

/** How long the last words may take to be read. A peer that is stopped never reads them, and must not keep anybody from closing. */
const farewellMs = 200;

export interface FrameSocketOptions {
  readonly maxFrameBytes: number;
  readonly maxWaitingBytes: number;
  /** For the log: which connection this is. */
  readonly name: string;
  /** False where the frame is none of ours. Not called any more once the socket is not open. */
  readonly onFrame: (value: unknown) => boolean;
  /** The connection is over, for whatever reason. Called once, and never from inside a method of this class. */
  readonly onEnd: () => void;
}

/** Frames in and out over one socket, with a bound on what waits to be written. Whatever goes wrong is the end of this connection alone. */
export class FrameSocket {
  readonly ended: Promise<void>;
  readonly #socket: Socket;
  readonly #options: FrameSocketOptions;
  readonly #decoder: FrameDecoder;
  #isOpen = true;

  constructor(socket: Socket, options: FrameSocketOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#decoder = new FrameDecoder(options.maxFrameBytes);
    this.ended = new Promise((resolve) => {
      socket.once('close', () => {
        this.#isOpen = false;
        resolve();
        options.onEnd();
      });
    });
    socket.on('data', (piece: Buffer) => this.#read(piece));
    // A peer that has ended its half is gone: it would not read what we still have to say, or not say whether it did.
    socket.once('end', () => socket.destroy());
    // 'close' follows, and all that has to be done is done there.
    socket.on('error', (error) => log('%s: %O', options.name, error));
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  setMaxFrameBytes(maxFrameBytes: number): void {
    this.#decoder.maxFrameBytes = maxFrameBytes;
  }

  send(frame: object): void {
    this.sendBytes(encodeFrame(JSON.stringify(frame)));
  }

  /** Nothing, where the connection is not open any more: who has to know is told by `onEnd`. */
  sendBytes(frame: Buffer): void {
    if (!this.#isOpen) return;
    const waiting = this.#socket.writableLength;
    if (waiting > 0 && waiting + frame.length > this.#options.maxWaitingBytes) {
      this.cut(`it does not read: ${waiting} bytes are waiting, and ${frame.length} more would be too many`);
      return;
    }
    // What is said in one turn of the loop is one write: many small frames would else be as many calls of the system.
    if (this.#socket.writableCorked === 0) {
      this.#socket.cork();
      process.nextTick(() => this.#socket.uncork());
    }
    this.#socket.write(frame);
  }

  /** Hands what was sent to the system at once, where what comes next may be the end of this process. */
  flush(): void {
    this.#socket.uncork();
  }

  /** Ends the connection when what was sent is written, or after a moment. */
  end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const timer = setTimeout(() => this.#socket.destroy(), farewellMs);
    this.#socket.once('close', () => clearTimeout(timer));
    this.#socket.end(() => this.#socket.destroy());
  }

  /** Ends the connection at once. */
  cut(why: string): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    log('%s is ended: %s', this.#options.name, why);
    this.#socket.destroy();
  }

  #read(piece: Buffer): void {
    if (!this.#isOpen) return;
    this.#decoder.push(piece);
    while (this.#isOpen) {
      const frame = this.#decoder.next();
      if (frame === undefined) return;
      if ('problem' in frame) this.cut(`it sent ${frame.problem}`);
      else if (!this.#options.onFrame(frame.value)) this.cut('it sent a frame that is none of ours');
    }
  }
}
