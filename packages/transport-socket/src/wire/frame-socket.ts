import type { Socket } from 'node:net';
import { createLog } from '@tenterhook/runtime/log';
import { encodeFrame, FrameDecoder } from './frames.js';

export const log = createLog('socket');

/** Milliseconds in which the last frames may be read. A stopped peer never reads them, and must not keep this side from closing. */
const farewellMs = 200;

/** The factor by which a burst may exceed `maxWaitingBytes`, and the milliseconds in which nothing may be sent meanwhile. */
const burstFactor = 4;
const stuckMs = 1000;

export interface FrameSocketOptions {
  readonly maxFrameBytes: number;
  readonly maxWaitingBytes: number;
  /** Name of the connection, for the log. */
  readonly name: string;
  /** Returns false if the frame is invalid. Not called after the socket has ended. */
  readonly onFrame: (value: unknown) => boolean;
  /** The connection is over, for any reason. Called once, and never from inside a method of this class. */
  readonly onEnd: () => void;
}

/** Sends and receives frames on one socket, with a limit on the bytes that wait to be written. A failure ends only this connection. */
export class FrameSocket {
  readonly ended: Promise<void>;
  readonly #socket: Socket;
  readonly #options: FrameSocketOptions;
  readonly #decoder: FrameDecoder;
  #isOpen = true;
  /** Since when too many bytes wait, and the number of bytes sent by then. */
  #fullSince: { readonly at: number; readonly gone: number } | undefined;

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
    // A peer that has ended its half is gone: it would not read further frames, or not acknowledge them.
    socket.once('end', () => socket.destroy());
    // 'close' follows and does all the work.
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

  /** No effect if the connection is closed: `onEnd` reports that. */
  sendBytes(frame: Buffer): void {
    if (!this.#isOpen) return;
    const waiting = this.#socket.writableLength;
    if (waiting > 0 && waiting + frame.length > this.#options.maxWaitingBytes) {
      if (this.#isStuck(waiting + frame.length)) {
        this.cut(`it does not read: ${waiting} bytes are waiting, and ${frame.length} more would be too many`);
        return;
      }
    } else this.#fullSince = undefined;
    // The frames of one turn of the loop are one write: otherwise many small frames would be as many system calls.
    if (this.#socket.writableCorked === 0) {
      this.#socket.cork();
      process.nextTick(() => this.#socket.uncork());
    }
    this.#socket.write(frame);
  }

  /** Passes sent frames to the system at once. Call it if the next step may end this process. */
  flush(): void {
    this.#socket.uncork();
  }

  /** Ends the connection when the sent frames are written, or after a moment. */
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
    // With our own error: otherwise Node creates one with a stack for each waiting write, and a million of them take seconds.
    this.#socket.destroy(new Error(why));
  }

  /**
   * Whether the peer does not read. No peer can have read the frames of the current turn yet, and a burst must not end the connection of a peer that
   * reads: that would lose every answer on its way. So the limit counts only if nothing was sent for a while, or at a multiple of it.
   */
  #isStuck(bytes: number): boolean {
    if (bytes > burstFactor * this.#options.maxWaitingBytes) return true;
    const gone = this.#socket.bytesWritten - this.#socket.writableLength;
    const now = performance.now();
    if (this.#fullSince === undefined || this.#fullSince.gone !== gone) this.#fullSince = { at: now, gone };
    return now - this.#fullSince.at > stuckMs;
  }

  #read(piece: Buffer): void {
    if (!this.#isOpen) return;
    this.#decoder.push(piece);
    while (this.#isOpen) {
      const frame = this.#decoder.next();
      if (frame === undefined) return;
      if ('problem' in frame) this.cut(`it sent ${frame.problem}`);
      else if (!this.#options.onFrame(frame.value)) this.cut('it sent an invalid frame');
    }
  }
}
